import Testing

@testable import URLSessionResult

struct StatusCodesTests {
    @Test("A range is listed up to three digits, and a list as it is")
    func listed() {
        #expect((-1..<Int.max).listed == Array(0...999))
        #expect((-1...Int.max).listed == Array(0...999))
        #expect((200..<202).listed == [200, 201])
        #expect((200...202).listed == [200, 201, 202])
        #expect([404, 200].listed == [404, 200])
    }

    @Test("What accepts a whole file accepts the rest of one")
    func rest() {
        #expect([200].acceptingRest == [200, 206])
        #expect([201].acceptingRest == [201])
    }
}

#if canImport(FoundationNetworking)

import Testing

@testable import URLSessionResultTransport

/// When waits are looked at, played without a clock.
struct WaitTableTests {
    private typealias Table = WaitTable<String>
    private static let first: UInt64 = 20

    @Test("A wait is looked at after double the time, again and again")
    func distances() {
        var table = Table()
        #expect(table.begin("a", at: 0, lookAfter: Self.first) == Self.first)
        var looks: [UInt64] = []
        while let due = table.nextDue, looks.count < 5 {
            #expect(table.takeDue(at: due - 1) == [])
            #expect(table.takeDue(at: due) == ["a"])
            looks.append(due / Self.first)
        }
        #expect(looks == [1, 3, 7, 15, 31])
    }

    @Test("A look that comes late does not hurry the next one")
    func lateLook() {
        var table = Table()
        _ = table.begin("a", at: 0, lookAfter: Self.first)
        #expect(table.takeDue(at: 100 * Self.first) == ["a"])
        #expect(table.nextDue == 102 * Self.first)
    }

    @Test("What a task sends lets its wait begin anew, unless nobody waits")
    func beginAgain() {
        var table = Table()
        #expect(table.beginAgain("a", at: 0, lookAfter: Self.first) == nil)
        #expect(table.nextDue == nil)
        _ = table.begin("a", at: 0, lookAfter: Self.first)
        #expect(table.takeDue(at: Self.first) == ["a"])
        #expect(table.beginAgain("a", at: Self.first, lookAfter: Self.first) == 2 * Self.first)
        #expect(table.nextDue == 2 * Self.first)
    }

    @Test("A wait for which nothing can be done is not looked at until it begins anew")
    func lookNoMore() {
        var table = Table()
        _ = table.begin("a", at: 0, lookAfter: Self.first)
        table.lookNoMore(at: "a")
        #expect(table.nextDue == nil)
        #expect(table.takeDue(at: 100 * Self.first) == [])
        #expect(table.beginAgain("a", at: 0, lookAfter: Self.first) == Self.first)
        #expect(table.nextDue == Self.first)
        #expect(table.end("a") == "a")
    }

    @Test("A wait that is over is not looked at")
    func end() {
        var table = Table()
        _ = table.begin("a", at: 0, lookAfter: Self.first)
        _ = table.begin("b", at: 1, lookAfter: Self.first)
        #expect(table.end("a") == "a")
        #expect(table.end("a") == nil)
        #expect(table.nextDue == 1 + Self.first)
        #expect(table.takeDue(at: .max / 2) == ["b"])
    }
}

#endif

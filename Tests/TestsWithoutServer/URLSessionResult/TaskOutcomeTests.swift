import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport

/// What the arguments of a completion handler mean.
struct TaskOutcomeTests {
    private let file = URL(fileURLWithPath: "/tmp/body")

    @Test("A download without a file, a response and an error is noData")
    func nothing() {
        let outcome = TaskOutcome()
        #expect("\(outcome.data(accepting: [200]))" == "failure(noData)")
        #expect("\(outcome.file(accepting: [200]))" == "failure(noData)")
        #expect("\(outcome.fileResponse(accepting: [200]))" == "failure(noData)")
    }

    @Test("A file without the response that is asked for is a transport error")
    func fileWithoutResponse() throws {
        let outcome = TaskOutcome(file: file)
        #expect(try outcome.file(accepting: [200]).get() == file)
        let error = #expect(throws: NetworkError.self) { try outcome.fileResponse(accepting: [200]).get() }
        #expect(error?.urlError?.code == .badServerResponse)
    }
}

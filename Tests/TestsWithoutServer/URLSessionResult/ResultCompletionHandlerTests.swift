import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

struct ResultCompletionHandlerTests {
    @Test("A file of a delegate's download is a result, and the beginning of an error response is kept")
    func file() throws {
        let folder = TemporaryFolder()
        let file = folder.file("a", Data("body".utf8))
        let refused = Result(file: file, response: try unavailable([:]).urlResponse, error: nil)
        guard case .failure(.serverError(503, let kept)) = refused else { return #expect(Bool(false)) }
        #expect(kept.body == Data("body".utf8))
        let accepted = Result(file: file, response: try unavailable([:]).urlResponse, error: nil, accepting: [503])
        #expect(try accepted.get() == file)
        guard case .failure(.noData) = Result(file: nil, response: nil, error: nil) else { return #expect(Bool(false)) }
        let lost = Result(file: nil, response: nil, error: URLError(.networkConnectionLost))
        guard case .failure(let error) = lost else { return #expect(Bool(false)) }
        #expect(error.urlError?.code == .networkConnectionLost)
    }
}

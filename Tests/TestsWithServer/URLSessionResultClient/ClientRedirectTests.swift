import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct ClientRedirectTests {
    /// Notes the redirects, and may refuse them.
    private final class Witness: NSObject, URLSessionTaskDelegate {
        let follows: Bool
        let asked = Monitor<[String?]>([])

        init(follows: Bool) { self.follows = follows }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            asked.withLock { $0.append(request.value(forHTTPHeaderField: "X-Key")) }
            completionHandler(follows ? request : nil)
        }
    }

    @Test(
        "It keeps secret header fields within the origin, and asks the session's delegate once",
        arguments: [true, false], [true, false, nil])
    func redirect(isSameOrigin: Bool, follows: Bool?) async throws {
        let other = try LoopbackServer(.ok("done"))
        let next = isSameOrigin ? "/next" : other.url("/next").absoluteString
        let server = try LoopbackServer(["/a": .redirect(to: next), "/next": .ok("done")])
        let witness = follows.map { Witness(follows: $0) }
        let session = URLSession(configuration: .forTests, delegate: witness, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let client = APIClient(
            baseURL: server.url(), session: session, headers: ["X-Key": "secret", "Accept": "a/b", "User-Agent": "x"],
            middleware: [TokenAuthentication("secret", for: server.url())])
        let result = await client.result(for: Endpoint(.get, "a", headers: ["X-Own": "secret"], decoder: .string()))
        #expect(witness == nil || witness?.asked.value == [isSameOrigin ? "secret" : nil])
        guard follows != false else { return #expect(result.error?.statusCode == 302) }
        #expect(try result.get() == "done")
        let last = try #require((isSameOrigin ? server : other).requests.last)
        for name in ["X-Key", "X-Own"] { #expect(last.header(name) == (isSameOrigin ? "secret" : nil)) }
        #expect(last.header("Authorization") == (isSameOrigin ? "Bearer secret" : nil))
        #expect(last.header("Accept") == "a/b")
        #expect(last.header("User-Agent") == "x")
    }
}

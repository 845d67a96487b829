import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.password
/// Answers the challenge of one server with a password, once.
nonisolated final class Password: NSObject, URLSessionTaskDelegate {
    private let host: String
    private let credential: URLCredential

    init(host: String, user: String, password: String) {
        self.host = host
        credential = URLCredential(
            user: user, password: password, persistence: .none)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        let space = challenge.protectionSpace
        guard space.host == host, challenge.previousFailureCount == 0,
            space.authenticationMethod
                == NSURLAuthenticationMethodHTTPBasic
        else {
            #if canImport(Darwin)
            // There, nobody else would ask the session's delegate.
            let other = session.delegate as? URLSessionTaskDelegate
            if let other, other !== self,
                other.urlSession?(
                    session, task: task, didReceive: challenge,
                    completionHandler: completionHandler) != nil
            {
                return
            }
            #endif
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, credential)
    }
}
// snippet.end

@Suite("Recipe: when the answer is 401", .inTurn)
struct PasswordRecipe {
    private static let right = "Basic am9uaTpibHVl"

    /// A server that wants a password, and gives the albums for the right one.
    private static func server(wanting authorization: String) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let response: LoopbackServer.Response =
                request.header("Authorization") == authorization
                ? .json(#"[{"artist": "A", "name": "N", "year": 1976}]"#) : .challenge(#"Basic realm="x""#)
            try connection.respond(with: response, to: request)
        }
    }

    @Test(
        "A delegate answers the challenge of its server, once and of no other",
        arguments: [true, false], [true, false])
    func password(isRight: Bool, isOurHost: Bool) async throws {
        let session = URLSession(configuration: .forTests)
        let server = try Self.server(wanting: isRight ? Self.right : "Basic other")
        let url = server.url()
        func Password(host: String, user: String, password: String) -> Password {
            .init(host: isOurHost ? url.host ?? "" : host, user: user, password: password)
        }
        // snippet.use-password
        let password = Password(
            host: "example.com", user: "joni", password: "blue")
        let protected = await session.dataResult(
            from: url, decoder: .json([Album].self), delegate: password)
        // snippet.end
        #expect((try? protected.get())?.count == (isRight && isOurHost ? 1 : nil))
        #expect(protected.error?.statusCode == (isRight && isOurHost ? nil : 401))
        #expect(server.requests.count == (isOurHost ? 2 : 1))
    }

    @Test("A challenge of another server is answered by the session's delegate")
    func otherServer() async throws {
        let server = try Self.server(wanting: Self.right)
        let url = server.url()
        let forSession = Password(host: url.host ?? "", user: "joni", password: "blue")
        let session = URLSession(configuration: .forTests, delegate: forSession, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let forOther = Password(host: "example.com", user: "joni", password: "red")
        _ = try await session.dataResult(from: url, delegate: forOther).get()
        #expect(server.requests.count == 2)
    }
}

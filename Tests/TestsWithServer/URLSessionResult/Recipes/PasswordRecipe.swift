import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

// snippet.password
/// Answers the challenge of one server with a password, once.
nonisolated final class Password: NSObject, URLSessionTaskDelegate {
    private let server: URL
    private let credential: URLCredential

    init(for server: URL, user: String, password: String) {
        self.server = server
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
        guard isOfServer(challenge.protectionSpace),
            challenge.previousFailureCount == 0
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

    /// A redirect may lead to another scheme, host or port.
    private func isOfServer(_ space: URLProtectionSpace) -> Bool {
        let usualPort = server.scheme == "https" ? 443 : 80
        let port = space.port == 0 ? usualPort : space.port
        return space.authenticationMethod
            == NSURLAuthenticationMethodHTTPBasic
            && space.protocol == server.scheme
            && space.host == server.host
            && port == server.port ?? usualPort
    }
}
// snippet.end

/// Recipe: when the answer is 401.
@Suite(.inTurn)
struct PasswordRecipe {
    private static let right = "Basic am9uaTpibHVl"

    /// A server that wants a password, and gives the albums for the right one.
    private static func server(wanting authorization: String) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let response: LoopbackServer.Response =
                request.header("Authorization") == authorization
                ? .json(#"[{"id": 7, "title": "N", "releasedAt": 0}]"#) : .challenge(#"Basic realm="x""#)
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
        let other = try #require(URL(string: "http://example.com"))
        func Password(for server: URL, user: String, password: String) -> Password {
            .init(for: isOurHost ? server : other, user: user, password: password)
        }
        // snippet.use-password
        let password = Password(
            for: url, user: "joni", password: "blue")
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
        let forSession = Password(for: url, user: "joni", password: "blue")
        let session = URLSession(configuration: .forTests, delegate: forSession, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let other = try #require(URL(string: "http://example.com"))
        let forOther = Password(for: other, user: "joni", password: "red")
        _ = try await session.dataResult(from: url, delegate: forOther).get()
        #expect(server.requests.count == 2)
    }

    @Test("A redirect to another port of the host gets no password")
    func redirected() async throws {
        let other = try Self.server(wanting: Self.right)
        let server = try LoopbackServer(.redirect(to: other.url().absoluteString))
        let password = Password(for: server.url(), user: "joni", password: "blue")
        let session = URLSession(configuration: .forTests)
        let result = await session.dataResult(from: server.url(), delegate: password)
        #expect(result.error?.statusCode == 401)
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test(
        "A challenge is answered if its scheme, host and port are those of the server",
        arguments: [
            ("https://a.test/x", "https", "a.test", 443, true),
            ("https://a.test:443", "https", "a.test", 443, true),
            ("https://a.test", "https", "a.test", 0, true),
            ("http://a.test", "http", "a.test", 80, true),
            ("https://a.test:8443", "https", "a.test", 8443, true),
            ("https://a.test", "http", "a.test", 80, false),
            ("https://a.test", "http", "a.test", 443, false),
            ("https://a.test", "https", "a.test", 8443, false),
            ("https://a.test:8443", "https", "a.test", 0, false),
            ("https://a.test", "https", "b.test", 443, false),
        ])
    func space(server: String, scheme: String, host: String, port: Int, isAnswered: Bool) throws {
        let url = try #require(URL(string: server))
        let space = URLProtectionSpace(
            host: host, port: port, protocol: scheme, realm: "x",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: NoSender())
        let session = URLSession(configuration: .forTests)
        let answer = Monitor<Bool?>(nil)
        Password(for: url, user: "joni", password: "blue").urlSession(
            session, task: session.dataTask(with: url), didReceive: challenge
        ) { disposition, credential in
            answer.withLock { $0 = disposition == .useCredential && credential?.user == "joni" }
        }
        #expect(answer.value == isAnswered)
    }
}

private final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

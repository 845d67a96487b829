#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

/// Bodies that URLSession on Linux would not send again: those of streams.
@Suite(.inTurn)
struct RenewedBodyTests {
    private let session = URLSession(configuration: .forTests)

    /// The route of a body stream that has to be sent again.
    private static let streamRoutes = [HopRoute(hops: [.redirect]), HopRoute(hops: [.challenge])]

    @Test(
        "A body stream that nobody can renew is a server error", arguments: streamRoutes, [nil, ignored])
    func stream(_ route: HopRoute, progress: ProgressHandler?) async throws {
        let server = try LoopbackServer(route.response(ending: .echo))
        let session = URLSession(configuration: .forTests, delegate: PasswordDelegate(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(for: streamedRequest(to: server.url("/0")), progress: progress)
        #expect(result.error?.statusCode == (route.hops == [.redirect] ? 307 : 401))
        #expect(server.requests.map(\.text) == ["streamed"])
    }

    @Test(
        "The session's delegate is asked for a body stream that has to be sent again",
        arguments: streamRoutes, [nil, ignored])
    func renewedStream(_ route: HopRoute, progress: ProgressHandler?) async throws {
        let server = try LoopbackServer(route.response(ending: .echo))
        let session = SessionDelegate(challenge: (.useCredential, HopRoute.credential)).session()
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(for: streamedRequest(to: server.url("/0")), progress: progress)
        #expect(try result.get() == Data("renewed".utf8))
        #expect(server.requests.map(\.text) == ["streamed", "renewed"])
    }

    @Test(
        "The delegate of the request renews a body stream, or leaves that to the session's",
        arguments: streamRoutes, [true, false])
    func renewedStream(_ route: HopRoute, byDelegateOfRequest isFirst: Bool) async throws {
        let server = try LoopbackServer(route.response(ending: .echo))
        let renewing = SessionDelegate(challenge: (.useCredential, HopRoute.credential))
        let other = PasswordDelegate()
        let session = URLSession(configuration: .forTests, delegate: isFirst ? other : renewing, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(
            for: streamedRequest(to: server.url("/0")), delegate: isFirst ? renewing : other)
        #expect(try result.get() == Data("renewed".utf8))
        #expect(server.requests.map(\.text) == ["streamed", "renewed"])
    }

    private func streamedRequest(to url: URL) -> URLRequest {
        var request = URLRequest(url: url, method: .post)
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        return request
    }
}

/// Knows the password, and no body stream.
private final class PasswordDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, HopRoute.credential)
    }
}

#endif

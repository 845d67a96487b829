#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A delegate that rejects a protection space is asked about the next one that the response offers, on its queue.
@Suite(.inTurn)
struct RejectedProtectionSpaceTests {
    enum Asking: CaseIterable {
        case server, proxy, tunnel

        /// A tunnel leads to a server that is trusted.
        static let available = Certificate.authorityIsTrusted ? allCases : [server, proxy]

        var spaces: [String] {
            switch self {
            case .server: ["HTTPDigest a", "HTTPBasic b"]
            case .proxy: ["HTTPDigest a", "HTTPBasic b"]
            case .tunnel: ["HTTPDigest nil", "HTTPBasic nil"]
            }
        }
    }

    /// A server that offers Digest and Basic, or a proxy that does, and the URL and the configuration of requests to it.
    private func scene(
        _ asking: Asking
    ) throws -> (url: URL, configuration: URLSessionConfiguration, servers: [LoopbackServer]) {
        let basic = "Basic \(Data("user:pass".utf8).base64EncodedString())"
        let server = try LoopbackServer { request, connection in
            let field = asking == .server ? "Authorization" : "Proxy-Authorization"
            guard request.header(field) == basic else {
                let challenge = asking == .server ? "WWW-Authenticate" : "Proxy-Authenticate"
                let schemes = #"Digest realm="a", nonce="1", qop="auth", Basic realm="b""#
                return try connection.respond(asking == .server ? 401 : 407, headers: [challenge: schemes])
            }
            guard request.method == "CONNECT" else { return try connection.respond(body: "abc") }
            try connection.send("HTTP/1.1 200 OK\r\n\r\n")
            if let port = request.target.split(separator: ":").last.flatMap({ UInt16($0) }) {
                try connection.tunnel(to: port)
            }
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCredentialStorage = URLCredentialStorage()
        guard asking != .server else { return (server.url(), configuration, [server]) }
        var dictionary: [AnyHashable: Any] = [:]
        for kind in ["HTTP", "HTTPS"] {
            dictionary["\(kind)Enable"] = 1
            dictionary["\(kind)Proxy"] = "127.0.0.1"
            dictionary["\(kind)Port"] = Int(server.port)
        }
        configuration.connectionProxyDictionary = dictionary
        guard asking == .tunnel else {
            return (try #require(URL(string: "http://host.invalid/")), configuration, [server])
        }
        let target = try LoopbackServer(.ok("abc"), over: .tls(.valid))
        return (target.url(), configuration, [server, target])
    }

    @Test("A delegate that rejects Digest is asked about Basic", arguments: APIForm.some, Asking.available)
    func rejectedDigest(_ form: APIForm, _ asking: Asking) async throws {
        let scene = try scene(asking)
        let delegate = ChoosingDelegate(NSURLAuthenticationMethodHTTPBasic)
        let session = delegate.session(with: scene.configuration)
        #expect(try await form(scene.url, in: session).get() == Data("abc".utf8))
        #expect(delegate.spaces.value == asking.spaces)
    }

    @Test("The delegate of the request rejects, and that of the session is asked about what is left to it")
    func twoDelegates() async throws {
        let scene = try scene(.server)
        let ofSession = ChoosingDelegate(NSURLAuthenticationMethodHTTPBasic)
        let ofRequest = ChoosingDelegate(nil)
        let session = ofSession.session(with: scene.configuration)
        let result = await session.dataResult(for: URLRequest(url: scene.url), delegate: ofRequest)
        #expect(try result.get() == Data("abc".utf8))
        #expect(ofRequest.spaces.value == ["HTTPDigest a", "HTTPBasic b"])
        #expect(ofSession.spaces.value == ["HTTPBasic b"])
    }

    @Test(
        "Whoever rejects all gets the response, or the error of the tunnel", arguments: APIForm.some, Asking.available)
    func rejectedAll(_ form: APIForm, _ asking: Asking) async throws {
        let scene = try scene(asking)
        let delegate = ChoosingDelegate("none")
        let error = await form(scene.url, in: delegate.session(with: scene.configuration)).error
        #expect(delegate.spaces.value == asking.spaces)
        switch asking {
        case .server: #expect(error?.statusCode == 401)
        case .proxy: #expect(error?.statusCode == 407)
        case .tunnel: #expect(error?.urlError?.localizedDescription.contains("CONNECT") == true)
        }
        #expect(scene.servers[0].requests.count == 1)
    }

    @Test("Nobody is asked about the next one after a cancellation", arguments: APIForm.some)
    func cancelled(_ form: APIForm) async throws {
        let scene = try scene(.server)
        let delegate = ChoosingDelegate("none") { $0.cancel() }
        let error = await form(scene.url, in: delegate.session(with: scene.configuration)).error
        #expect(error?.isCancelled == true)
        #expect(delegate.spaces.value == ["HTTPDigest a"])
    }
}

/// Answers one method, rejects the others, and notes each protection space. Without a method, it rejects Digest alone, and leaves the others
/// to the default.
private final class ChoosingDelegate: NSObject, URLSessionTaskDelegate {
    let spaces = Monitor<[String]>([])
    private let method: String?
    private let beforeAnswer: @Sendable (URLSessionTask) -> Void

    init(_ method: String?, beforeAnswer: @escaping @Sendable (URLSessionTask) -> Void = { _ in }) {
        self.method = method
        self.beforeAnswer = beforeAnswer
    }

    func session(with configuration: URLSessionConfiguration) -> URLSession {
        URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        let name = space.authenticationMethod.replacing("NSURLAuthenticationMethod", with: "")
        spaces.withLock { $0.append("\(name) \(space.realm ?? "nil")") }
        beforeAnswer(task)
        if space.authenticationMethod == method {
            completionHandler(.useCredential, ResponseChain.credential)
        } else if method == nil, space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic {
            completionHandler(.performDefaultHandling, nil)
        } else {
            completionHandler(.rejectProtectionSpace, nil)
        }
    }
}

#endif

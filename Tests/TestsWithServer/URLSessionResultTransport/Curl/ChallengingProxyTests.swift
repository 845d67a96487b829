#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A proxy that wants a credential (RFC 9110, section 11.7): the delegate and the storage are asked as for a server.
@Suite(.inTurn)
struct ChallengingProxyTests {
    /// A proxy that answers http itself, and passes https on.
    private final class Proxy: Sendable {
        private let server: LoopbackServer

        init(
            wanting scheme: String, of userAndPassword: String = "user:pass",
            _ response: LoopbackServer.Response = .ok("by proxy")
        ) throws {
            let basic = "Basic \(Data(userAndPassword.utf8).base64EncodedString())"
            let digest = DigestServer()
            server = try LoopbackServer { request, connection in
                let isKnown =
                    scheme == "Digest"
                    ? digest.isAnswered(by: request, in: "Proxy-Authorization")
                    : request.header("Proxy-Authorization") == basic
                guard isKnown else {
                    let challenge = scheme == "Digest" ? digest.challenge() : #"\#(scheme) realm="x, y""#
                    return try connection.respond(407, headers: ["Proxy-Authenticate": challenge], body: "no")
                }
                guard request.method == "CONNECT" else { return try response.play(request, connection) }
                try connection.send("HTTP/1.1 200 OK\r\n\r\n")
                if let port = request.target.split(separator: ":").last.flatMap({ UInt16($0) }) {
                    try connection.tunnel(to: port)
                }
            }
        }

        var requests: [LoopbackServer.Request] { server.requests }
        var port: UInt16 { server.port }
        var origin: String { server.origin }

        /// The requests with a credential.
        var answers: [LoopbackServer.Request] { requests.filter { $0.header("Proxy-Authorization") != nil } }

        func configuration(excepting hosts: [String] = []) -> URLSessionConfiguration {
            let configuration = URLSessionConfiguration.forTests
            var dictionary: [AnyHashable: Any] = ["ExceptionsList": hosts]
            for kind in ["HTTP", "HTTPS"] {
                dictionary["\(kind)Enable"] = 1
                dictionary["\(kind)Proxy"] = "127.0.0.1"
                dictionary["\(kind)Port"] = Int(port)
            }
            configuration.connectionProxyDictionary = dictionary
            configuration.urlCredentialStorage = URLCredentialStorage()
            return configuration
        }
    }

    private static let schemes = ["Basic", "Digest"]
    private static let isTrusted = Certificate.authorityIsTrusted
    private let url = URL(string: "http://host.invalid/path") ?? URL(fileURLWithPath: "/")

    @Test("A request over http is answered, and sent with its body once", arguments: APIForm.some, schemes)
    func http(_ form: APIForm, scheme: String) async throws {
        let proxy = try Proxy(wanting: scheme)
        let delegate = NotingDelegate()
        let session = delegate.session(with: proxy.configuration())
        #expect(try await form(url, in: session).get() == Data("by proxy".utf8))
        let space = "HTTPProxy 127.0.0.1:\(proxy.port) HTTP\(scheme) x, y, refused: 0"
        #expect(delegate.challenges.value == [space])
        #expect(proxy.answers.map(\.body) == [form.uploads ? APIForm.uploadedBody : Data()])
    }

    @Test(
        "A request over https is answered, and the server sees no credential",
        .enabled(if: isTrusted, "`make test-trusted` runs it."), arguments: APIForm.some, schemes)
    func https(_ form: APIForm, scheme: String) async throws {
        let proxy = try Proxy(wanting: scheme)
        let server = try LoopbackServer(.ok("body"), over: .tls(.valid))
        let delegate = NotingDelegate()
        let session = delegate.session(with: proxy.configuration())
        #expect(try await form(server.url(), in: session).get() == Data("body".utf8))
        #expect(delegate.challenges.value == ["HTTPSProxy 127.0.0.1:\(proxy.port) HTTP\(scheme) nil, refused: 0"])
        #expect(server.requests.map { $0.header("Proxy-Authorization") } == [nil])
    }

    @Test("A delegate is told how many credentials a proxy has refused", arguments: APIForm.some, schemes)
    func refused(_ form: APIForm, scheme: String) async throws {
        let server = try LoopbackServer(.ok(), over: .tls(.valid))
        for target in [url, server.url()] {
            let proxy = try Proxy(wanting: scheme)
            let delegate = NotingDelegate(refusedPasswords: 2)
            let error = await form(target, in: delegate.session(with: proxy.configuration())).error
            // Without trust, the tunnel is there, and the server's certificate is refused.
            #expect(error == nil || error?.urlError?.code == .serverCertificateUntrusted, "\(target)")
            #expect(delegate.challenges.value.map { $0.suffix(1) } == ["0", "1", "2"], "\(target)")
        }
    }

    @Test(
        "Without a credential, the result is the 407, or an error for a tunnel", arguments: APIForm.some,
        schemes + ["Negotiate"])
    func unanswered(_ form: APIForm, scheme: String) async throws {
        let server = try LoopbackServer(.ok(), over: .tls(.valid))
        let proxy = try Proxy(wanting: scheme)
        let error = await form(url, in: URLSession(configuration: proxy.configuration())).error
        #expect(error?.statusCode == 407)
        #expect(error?.response?.body == Data("no".utf8))
        let tunnelError = await form(server.url(), in: URLSession(configuration: proxy.configuration())).error
        #expect(tunnelError?.urlError?.localizedDescription.contains("CONNECT") == true)
        #expect(proxy.requests.count == 2)
    }

    @Test("A credential that a proxy refuses each time ends with the 407, after twenty attempts", arguments: schemes)
    func alwaysRefused(scheme: String) async throws {
        let proxy = try Proxy(wanting: scheme)
        let delegate = NotingDelegate(refusedPasswords: .max)
        let session = delegate.session(with: proxy.configuration())
        #expect(await session.dataResult(from: url).error?.statusCode == 407)
        #expect(delegate.challenges.value.count == 20)
    }

    @Test(
        "A user and a password may have any characters", arguments: APIForm.some,
        ["us%41er:p%40ss", "user:pass:word", "us/er@x:?#[]%", "ü:pässword €", "user:"])
    func characters(_ form: APIForm, userAndPassword: String) async throws {
        let server = try LoopbackServer(.ok("body"), over: .tls(.valid))
        let parts = userAndPassword.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let credential = URLCredential(
            user: String(parts[0]), password: String(parts[1]), persistence: .none)
        for target in [url, server.url()] {
            let proxy = try Proxy(wanting: "Basic", of: userAndPassword)
            let delegate = SessionDelegate(challenge: (.useCredential, credential))
            let error = await form(target, in: delegate.session(with: proxy.configuration())).error
            // Without trust, the tunnel is there, and the server's certificate is refused.
            #expect(error == nil || error?.urlError?.code == .serverCertificateUntrusted, "\(target)")
            #expect(proxy.answers.count == 1)
        }
    }

    @Test("A credential that a proxy has accepted is stored, and answers", arguments: APIForm.some, schemes)
    func stored(_ form: APIForm, scheme: String) async throws {
        let proxy = try Proxy(wanting: scheme)
        let configuration = proxy.configuration()
        let delegate = NotingDelegate(persistence: .forSession)
        _ = try await form(url, in: delegate.session(with: configuration)).get()
        _ = try await form(url, in: URLSession(configuration: configuration)).get()
        #expect(proxy.answers.count == 2)
        #expect(configuration.urlCredentialStorage?.allCredentials.count == 1)
    }

    @Test("A redirect keeps the credential for its proxy, and takes it to no other server", arguments: APIForm.some)
    func redirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("direct"))
        let isFirst = Monitor(true)
        let proxy = try Proxy(
            wanting: "Basic",
            LoopbackServer.Response { request, connection in
                let target = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst ? "http://other.invalid/" : server.url().absoluteString
                }
                try connection.respond(with: .redirect(to: target, status: 307), to: request)
            })
        let delegate = NotingDelegate()
        let session = delegate.session(with: proxy.configuration(excepting: ["127.0.0.1"]))
        #expect(try await form(url, in: session).get() == Data("direct".utf8))
        #expect(proxy.requests.map { $0.header("Proxy-Authorization") != nil } == [false, true, true])
        #expect(server.requests.map { $0.header("Proxy-Authorization") } == [nil])
        #expect(delegate.challenges.value.count == 1)
    }

    @Test(
        "A proxy and a server may both ask", arguments: APIForm.some,
        [("Basic", "Digest"), ("Digest", "Basic"), ("Digest", "Digest")])
    func both(_ form: APIForm, _ schemes: (proxy: String, server: String)) async throws {
        let chain = ResponseChain(steps: [schemes.server == "Digest" ? .digest : .challenge])
        let proxy = try Proxy(wanting: schemes.proxy, chain.response(ending: .ok("abc")))
        let delegate = NotingDelegate()
        let target = try #require(URL(string: "http://host.invalid/0"))
        #expect("\(await form(target, in: delegate.session(with: proxy.configuration())))" == "success(3 bytes)")
        #expect(delegate.challenges.value.map { $0.suffix(1) } == ["0", "0"])
    }

    @Test("Nobody is asked about a 407 of a server", arguments: APIForm.some)
    func ofServer(_ form: APIForm) async throws {
        let server = try LoopbackServer(.status(407, headers: ["Proxy-Authenticate": "Basic realm=x"]))
        let delegate = NotingDelegate()
        #expect(await form(server.url(), in: delegate.session(with: .forTests)).error?.statusCode == 407)
        #expect(delegate.challenges.value.isEmpty)
    }

    @Test("A request that is cancelled while the delegate is asked about its proxy is not answered")
    func cancelled() async throws {
        let proxy = try Proxy(wanting: "Basic")
        let server = try LoopbackServer(.ok(), over: .tls(.valid))
        for target in [url, server.url()] {
            let delegate = NotingDelegate(answers: false)
            let session = delegate.session(with: proxy.configuration())
            let task = Task { await session.dataResult(from: target) }
            try await delegate.challenges.value { !$0.isEmpty }
            task.cancel()
            #expect(await task.value.error?.isCancelled == true)
        }
        #expect(proxy.answers.isEmpty)
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test("The proxy of the environment may ask, whatever credential is in its URL", arguments: ["", "other:wrong@"])
    func environment(userInfo: String) async {
        await #expect(processExitsWith: .success) { [userInfo] in
            let server = try LoopbackServer(.ok(), over: .tls(.valid))
            let url = try #require(URL(string: "http://host.invalid/path"))
            let proxy = try Proxy(wanting: "Basic")
            for name in ["http_proxy", "https_proxy"] { setenv(name, "\(userInfo)127.0.0.1:\(proxy.port)", 1) }
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            for form in APIForm.some {
                let delegate = NotingDelegate()
                #expect(try await form(url, in: delegate.session(with: .forTests)).get() == Data("by proxy".utf8))
                _ = await form(server.url(), in: delegate.session(with: .forTests))
                #expect(delegate.challenges.value.count == 2)
            }
        }
    }

    @Test("Nobody is asked about the 407 of a host that the environment excepts")
    func exceptedHost() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(
                .status(407, Data("no".utf8), headers: ["Proxy-Authenticate": #"Basic realm="x""#]))
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("no_proxy", "127.0.0.1", 1)
            let delegate = NotingDelegate()
            for form in APIForm.some {
                let error = await form(server.url(), in: delegate.session(with: .forTests)).error
                #expect(error?.statusCode == 407)
            }
            #expect(delegate.challenges.value.isEmpty)
            #expect(server.requests.count == APIForm.some.count)
        }
    }
    #endif
}

/// Knows the password, after some that are refused, and notes what it is asked.
private final class NotingDelegate: NSObject, URLSessionTaskDelegate {
    let challenges = Monitor<[String]>([])
    private let refusedPasswords: Int
    private let persistence: URLCredential.Persistence
    private let answers: Bool

    init(refusedPasswords: Int = 0, persistence: URLCredential.Persistence = .none, answers: Bool = true) {
        self.refusedPasswords = refusedPasswords
        self.persistence = persistence
        self.answers = answers
    }

    func session(with configuration: URLSessionConfiguration) -> URLSession {
        URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        let type = space.proxyType?.dropFirst("NSURLProtectionSpace".count) ?? "server"
        let method = space.authenticationMethod.dropFirst("NSURLAuthenticationMethod".count)
        let count = challenges.withLock { challenges in
            challenges.append(
                "\(type) \(space.host):\(space.port) \(method) \(space.realm ?? "nil"), refused: \(challenge.previousFailureCount)"
            )
            return challenges.count
        }
        guard answers else { return }
        let password = count <= refusedPasswords ? "wrong" : "pass"
        completionHandler(.useCredential, URLCredential(user: "user", password: password, persistence: persistence))
    }
}

#endif

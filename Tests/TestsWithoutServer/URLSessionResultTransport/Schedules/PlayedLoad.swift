#if canImport(FoundationNetworking)

import Foundation

@testable import URLSessionResultTransport
@testable import TestSupport

/// A load that tells its transaction what a test says, as FoundationNetworking does it: what it tells after `stop()`, too, until
/// it has ended.
///
/// Unchecked, because the thread of the test is the only one.
final class PlayedLoad: Load, @unchecked Sendable {
    let number: Int
    let server: Server
    let transaction: Transaction

    private(set) var isStarted = false
    private(set) var isStopped = false
    private(set) var hasEnded = false

    /// Whether it has asked what to do about its response. It tells nothing more then, except an error.
    private(set) var hasAsked = false

    /// Whether it was answered.
    var isAnswered = false

    /// The bytes that it told while nobody had stopped it.
    private(set) var body = Data()
    private(set) var response: URLResponse?
    private let noteFault: (String) -> Void

    let countOfBytesSent: Int64 = 0
    let countOfBytesExpectedToSend: Int64 = 0

    init(_ number: Int, of transaction: Transaction, from server: Server, noting noteFault: @escaping (String) -> Void)
    {
        self.number = number
        self.transaction = transaction
        self.server = server
        self.noteFault = noteFault
    }

    var isRunning: Bool { isStarted && !isStopped && !hasEnded }
    var mayTell: Bool { isStarted && !hasEnded }

    func start() {
        if isStarted || isStopped { noteFault("A load is started twice, or after it was stopped") }
        isStarted = true
    }

    func stop() {
        if isStopped || hasEnded { noteFault("A load is stopped twice, or after its end") }
        isStopped = true
    }

    // MARK: What it tells

    /// FoundationNetworking announces no head of a redirect.
    func tellHead() {
        guard response == nil, !hasAsked, server != .redirects else { return }
        response = server.response
        transaction.receive(server.response) { $0() }
    }

    func tellBytes() {
        guard !hasAsked, server != .redirects else { return }
        tellHead()
        let bytes = Data([UInt8(number), UInt8(body.count)])
        if isRunning { body += bytes }
        transaction.receive(bytes)
    }

    /// The body is whole.
    func tellWhole() {
        guard !hasAsked else { return }
        tellHead()
        switch server {
        case .answers:
            hasEnded = true
            transaction.ended(with: nil)
        case .redirects:
            hasAsked = true
            transaction.redirected(by: server.response, to: nil)
        case .challenges:
            hasAsked = true
            transaction.challenged(by: [Server.challenge])
        }
    }

    /// The server closes a connection that was kept.
    func loseConnection() {
        guard response == nil, !hasAsked else { return }
        hasAsked = true
        transaction.connectionIsLost()
    }

    func fail(_ code: URLError.Code) {
        hasEnded = true
        transaction.ended(with: URLError(code))
    }
}

extension PlayedLoad {
    /// How a server responds.
    enum Server {
        case answers, redirects, challenges

        var response: HTTPURLResponse {
            switch self {
            case .answers: Self.answer
            case .redirects: Self.redirect
            case .challenges: Self.refusal
            }
        }

        static let challenge = URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: "albums.test", port: 80, protocol: "http", realm: "albums",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: refusal, error: nil, sender: NoSender())

        // Made once, because making them takes long.
        static let url = URL(string: "http://albums.test/a") ?? URL(fileURLWithPath: "/")
        private static let answer = response(200)
        private static let redirect = response(307, ["Location": "http://albums.test/b"])
        private static let refusal = response(401, ["WWW-Authenticate": "Basic realm=\"albums\""])

        private static func response(_ code: Int, _ fields: [String: String] = [:]) -> HTTPURLResponse {
            let response = HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: fields)
            guard let response else { preconditionFailure("The status line is sound.") }
            return response
        }
    }
}

#endif

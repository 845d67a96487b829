// snippet.stub-protocol
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers requests from memory.
nonisolated final class StubProtocol: URLProtocol {
    enum Answer: Sendable {
        case response(
            statusCode: Int = 200, headers: [String: String] = [:], body: String = "")
        case failure(URLError)
    }

    private static let lock = NSLock()
    // Safe because every access holds the lock.
    nonisolated(unsafe) private static var answers: [URL: Answer] = [:]

    /// Makes a session that has an answer for a URL.
    ///
    /// Tests run side by side, so each of them needs a URL of its own.
    static func session(answering url: URL, with answer: Answer) -> URLSession {
        lock.withLock { answers[url] = answer }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        return URLSession(configuration: configuration)
    }

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let answer = Self.lock.withLock { request.url.flatMap { Self.answers[$0] } }
        switch answer ?? .failure(URLError(.unsupportedURL)) {
        case .response(let statusCode, let headers, let body):
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers)
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(body.utf8))
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    override func stopLoading() {}
}
// snippet.end

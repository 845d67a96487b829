import Foundation
import URLSessionResult

// snippet.stub-protocol
/// Answers requests from memory and keeps them.
nonisolated final class StubProtocol: URLProtocol {
    enum Answer: Sendable {
        case response(
            statusCode: Int = 200,
            headers: [String: String] = [:],
            body: String = "")
        case failure(URLError)
    }

    private struct Stub {
        let answer: Answer
        var requests: [URLRequest] = []
    }

    private static let lock = NSLock()
    // Safe because every access holds the lock.
    nonisolated(unsafe) private static var stubs: [URL: Stub] = [:]

    /// Creates a session that has an answer for a URL.
    static func session(
        answering url: URL, with answer: Answer
    ) -> URLSession {
        lock.withLock { stubs[url] = Stub(answer: answer) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        return URLSession(configuration: configuration)
    }

    /// The requests that were sent to a URL, with their bodies.
    static func requests(to url: URL) -> [URLRequest] {
        lock.withLock { stubs[url]?.requests ?? [] }
    }

    override class func canInit(with request: URLRequest) -> Bool {
        true
    }

    override class func canonicalRequest(
        for request: URLRequest
    ) -> URLRequest {
        request
    }

    override func startLoading() {
        switch Self.keep(request) {
        case .response(let statusCode, let headers, let body):
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: statusCode,
                    httpVersion: "HTTP/1.1", headerFields: headers)
            else { return }
            client?.urlProtocol(
                self, didReceive: response,
                cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(body.utf8))
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    override func stopLoading() {}

    private static func keep(_ request: URLRequest) -> Answer {
        var request = request
        // Apple's URLSession hands a body over as a stream.
        if let stream = request.httpBodyStream {
            request.httpBody = Data(readingAll: stream)
        }
        return lock.withLock {
            guard let url = request.url, let stub = stubs[url] else {
                return .failure(URLError(.unsupportedURL))
            }
            stubs[url]?.requests.append(request)
            return stub.answer
        }
    }
}

nonisolated extension Data {
    fileprivate init(readingAll stream: InputStream) {
        self.init()
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            append(contentsOf: buffer[..<count])
        }
    }
}
// snippet.end

import Foundation
import URLSessionResult

/// Answers every request at once, as an API would, so that nothing is counted but what `URLSession` and its caller do.
final class StubProtocol: URLProtocol {
    static let body = Data(#"{"id": 7, "name": "Hejira", "artist": "Joni Mitchell", "year": 1976, "songs": 9}"#.utf8)

    static let headers = [
        "Cache-Control": "no-cache", "Connection": "keep-alive", "Content-Length": "\(body.count)",
        "Content-Type": "application/json; charset=utf-8", "Date": "Sat, 01 Nov 2025 12:00:00 GMT", "ETag": "\"7\"",
        "Server": "stub", "X-Request-Id": "0a1b2c3d",
    ]

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "stub" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let client, let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: Self.headers)
        else { return }
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client.urlProtocol(self, didLoad: Self.body)
        client.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

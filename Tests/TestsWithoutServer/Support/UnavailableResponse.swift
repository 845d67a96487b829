import Foundation
import Testing
import URLSessionResult

/// A response with a status code of 503.
func unavailable(_ headers: [String: String], _ body: String = "") throws -> NetworkResponse<Data> {
    let url = try #require(URL(string: "https://api.test/a/1"))
    let head = HTTPURLResponse(url: url, statusCode: 503, httpVersion: "HTTP/1.1", headerFields: headers)
    return NetworkResponse(body: Data(body.utf8), urlResponse: try #require(head))
}

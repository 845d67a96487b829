import Foundation
@testable import URLSessionResultClient

/// Makes paths, queries and forms of texts that libFuzzer makes up, and reads them as `Link` and `Retry-After`.
///
/// A text must not lead to another resource than the one with its name, or add a header field.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    let text = String(decoding: bytes, as: UTF8.self)
    checkSegment(text)
    checkPath(text)
    checkQuery(text)
    checkForm(text)
    checkHeaders(text)
    return 0
}

private func url(_ path: EndpointPath, query: QueryItems = [:]) -> String? {
    URL(string: "https://api.test/v1").flatMap { path.url(relativeTo: $0, adding: query)?.absoluteString }
}

private func check(_ isTrue: Bool, _ fault: String) {
    // libFuzzer keeps the input of a process that ends like this.
    if !isTrue { fatalError(fault) }
}

private func checkSegment(_ text: String) {
    guard let url = url("artists/\(text)/albums") else {
        return check(["", ".", ".."].contains(text), "A value makes no URL.")
    }
    let segments = url.split(separator: "/", omittingEmptySubsequences: false)
    check(segments.count == 7 && url.hasPrefix("https://api.test/v1/artists/"), "A value is not one segment: \(url)")
    check(segments[5].removingPercentEncoding == text, "A value is another one: \(url)")
}

private func checkPath(_ text: String) {
    if let url = url("models/\(path: text)") {
        let path = URL(string: url)?.standardized.path ?? ""
        check(path.hasPrefix("/v1/models"), "A path leads elsewhere: \(url)")
    }
    let urls = [url(EndpointPath(stringLiteral: text)), URL(string: text).flatMap { url(EndpointPath($0)) }]
    for url in urls.compactMap(\.self) {
        check(url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "A URL has other characters: \(url)")
        check(url.hasPrefix("https://") || url.hasPrefix("http://"), "A URL has another scheme: \(url)")
    }
}

private func checkQuery(_ text: String) {
    let query = QueryItems([URLQueryItem(name: text, value: text)])
    let parts = query.percentEncoded.split(separator: "=", omittingEmptySubsequences: false)
    check(parts.count == 2 && parts.allSatisfy { $0.removingPercentEncoding == text }, "An item is another one.")
    check(!query.percentEncoded.contains { "&+#? ".contains($0) }, "An item has a separator.")
    check(url("a", query: query) != nil, "A query makes no URL.")
}

private func checkForm(_ text: String) {
    let part = MultipartForm.Part.data(text, Data(), fileName: text, contentType: text)
    let lines = part.head.utf8.split(separator: 10, omittingEmptySubsequences: false)
    check(lines.count == 4, "A name adds a line.")
    check(lines.dropLast().allSatisfy { $0.last == 13 && $0.dropLast().allSatisfy { $0 != 13 } }, "A name ends a line.")
    check(lines[0].count { $0 == UInt8(ascii: "\"") } == 4, "A name ends early.")
}

private func checkHeaders(_ text: String) {
    guard let url = URL(string: "https://api.test/a/1"),
        let head = HTTPURLResponse(
            url: url, statusCode: 503, httpVersion: nil, headerFields: ["Link": text, "Retry-After": text])
    else { return }
    let response = NetworkResponse(body: Data(), urlResponse: head)
    _ = response.link("next")
    let wait = NetworkError.serverError(statusCode: 503, response: response).retryAfter
    check(wait.map { $0 >= 0 } ?? true, "A wait is no time.")
}

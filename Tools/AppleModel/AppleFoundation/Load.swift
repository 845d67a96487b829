/// Loads one request.
protocol Load {
    /// Whether the request may be sent again after an error.
    var mayBeRepeated: Bool { get }
    /// Waits for what comes next.
    func next() throws -> LoadEvent
    /// Ends the load. What it would have said is not needed.
    func stop()
}

enum LoadEvent {
    /// A `URLProtocol` has found a redirect.
    case redirect(URLRequest, HTTPURLResponse)
    case response(URLResponse)
    case data(Data)
    case end
}

/// A `data` URL.
final class DataURLLoad: Load {
    let mayBeRepeated = false
    private var events: [LoadEvent]

    init(of request: URLRequest) throws {
        let text = request.url?.absoluteString.dropFirst("data:".count) ?? ""
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let url = request.url, parts.count == 2, let contents = parts[1].removingPercentEncoding else {
            throw URLError(.badURL, at: request.url)
        }
        let isBase64 = parts[0].hasSuffix(";base64")
        guard let data = isBase64 ? Data(base64Encoded: contents) : Data(contents.utf8) else {
            throw URLError(.badURL, at: url)
        }
        let type = parts[0].split(separator: ";").first.map(String.init)
        let response = URLResponse(
            url: url, mimeType: type ?? "text/plain", expectedContentLength: data.count, textEncodingName: nil)
        events = [.response(response), .data(data), .end]
    }

    func next() -> LoadEvent { events.removeFirst() }
    func stop() {}
}

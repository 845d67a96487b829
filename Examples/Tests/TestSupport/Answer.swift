import Foundation
import URLSessionResult

/// What a server answered.
package struct Answer: Sendable {
    package let status: Int
    package let data: Data
    private let response: HTTPURLResponse

    /// Sends a request the plain way, so that tests of the server do not lean on the library.
    ///
    /// - Parameters:
    ///   - line: The method and the percent-encoded target, such as `GET /albums.json`.
    ///   - root: The address of the server.
    ///   - body: What to send.
    ///   - headers: Headers to send.
    /// - Throws: What `URLSession` throws.
    package init(to line: String, at root: URL, body: String? = nil, headers: [String: String] = [:]) async throws {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2, let url = URL(string: root.absoluteString + words[1]) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = words[0]
        request.httpBody = body.map { Data($0.utf8) }
        request.allHTTPHeaderFields = headers
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        self.response = response
        status = response.statusCode
        self.data = data
    }

    /// The body as text, without the line break at its end.
    package var text: String { String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines) }

    package func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
}

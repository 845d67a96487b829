import Foundation

extension LoopbackServer {
    /// A request as it arrived.
    struct Request: Sendable {
        let method: String
        /// The path and the query, as sent.
        let target: String
        /// The header fields in their order and capitalisation.
        let headers: [(name: String, value: String)]
        /// The body without its transfer coding; empty when the server leaves bodies to the handler.
        var body = Data()

        var path: String { String(target.prefix { $0 != "?" }) }

        /// The value of the first field of this name, in any capitalisation.
        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }
}

extension LoopbackServer.Request {
    /// Reads the request line and the header fields, without the empty line that ends them.
    init?(head: Data) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let requestLine = lines[0].split(separator: " ")
        guard requestLine.count == 3 else { return nil }
        method = String(requestLine[0])
        target = String(requestLine[1])
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (String(line[..<colon]), value)
        }
    }
}

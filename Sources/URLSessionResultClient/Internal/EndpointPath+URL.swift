import Foundation
internal import URLSessionResultTransport

extension EndpointPath {
    /// The URL of the path, or nil if there is none.
    func url(relativeTo base: URL, adding query: QueryItems) -> URL? {
        switch content {
        case .text(let text): text.url(appendedTo: base, adding: query.percentEncoded)
        case .url(let url): url.resolved(against: base).flatMap { $0.adding(query.percentEncoded) }
        case .invalid: nil
        }
    }
}

extension URL {
    /// The absolute URL as text, or nil if its scheme is neither http nor https.
    fileprivate func resolved(against base: URL) -> String? {
        let resolved = URL(string: relativeString, relativeTo: baseURL ?? base)?.absoluteURL
        return resolved?.absoluteString.withoutFragment.withLowercasedScheme
    }
}

extension String {
    fileprivate func url(appendedTo base: URL, adding query: String) -> URL? {
        let (path, ownQuery) = divided(at: "?")
        let segments = path.split(separator: "/").flatMap { segment in
            (segment.removingPercentEncoding ?? "").split { "/\\".contains($0) }
        }
        guard !segments.contains("."), !segments.contains("..") else { return nil }
        if let whole = withLowercasedScheme { return whole.adding(query) }
        let (beginning, baseQuery) = base.absoluteString.withoutFragment.divided(at: "?")
        let relative = path.drop { $0 == "/" }
        let slash = relative.isEmpty || beginning.hasSuffix("/") ? "" : "/"
        return "\(beginning)\(slash)\(relative)".adding(baseQuery, ownQuery, query)
    }

    /// The URL of HTTP with its scheme in lowercase, which `URLSession` needs on Linux. Nil if the text is none.
    fileprivate var withLowercasedScheme: String? {
        let (scheme, rest) = divided(at: ":")
        guard ["http", "https"].contains(scheme.lowercased()), rest.hasPrefix("//") else { return nil }
        return "\(scheme.lowercased()):\(rest)"
    }

    fileprivate var withoutFragment: String { divided(at: "#").0 }

    /// What is before the first separator, and what is behind it.
    ///
    /// It searches bytes: to search for a `Character` costs more than the rest of making a request.
    private func divided(at separator: Unicode.Scalar) -> (String, String) {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return (self, "") }
        return (String(self[..<index]), String(self[utf8.index(after: index)...]))
    }

    /// The URL with queries, which may be empty.
    fileprivate func adding(_ queries: String...) -> URL? {
        let (beginning, ownQuery) = divided(at: "?")
        let query = ([ownQuery] + queries).filter { !$0.isEmpty }.joined(separator: "&")
        return URL(string: beginning + (query.isEmpty ? "" : "?\(query)"))
    }
}

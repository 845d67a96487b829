import Foundation
internal import URLSessionResultTransport

extension NetworkResponse {
    /// Returns the URL of a link with a relation, such as `next` or `prev` (RFC 8288).
    ///
    /// ```swift
    /// let nextPage = response.link("next")
    /// ```
    ///
    /// - Parameter relation: The relation, in any capitalization.
    /// - Returns: The URL, resolved against the URL of the response, or `nil` if the `Link` field is missing, has no such relation,
    ///   or has no valid URL for it.
    public func link(_ relation: String) -> URL? {
        linkTarget(relation).flatMap { URL(string: $0.escapedAsReference, relativeTo: urlResponse.url)?.absoluteURL }
    }

    /// The target of a link as the server wrote it.
    package func linkTarget(_ relation: String) -> String? {
        let relation = relation.lowercased()
        let links = (header("Link") ?? "").parts(separatedBy: ",").lazy.compactMap(Link.init)
        return links.first { $0.relations.contains(relation) }?.target
    }
}

/// An element of the `Link` field (RFC 8288, section 3).
private struct Link {
    let target: String

    /// The relations in lowercase. Only the first `rel` counts (section 3.3).
    let relations: [String]

    /// Is nil if there is no target, or if the link is one of another resource, which `anchor` names (section 3.2).
    init?(_ text: String) {
        let parts = text.parts(separatedBy: ";")
        guard let target = parts.first, target.hasPrefix("<"), target.hasSuffix(">") else { return nil }
        self.target = String(target.dropFirst().dropLast())
        let parameters = parts.dropFirst().map { $0.lowercased().split(separator: "=", maxSplits: 1) }
        func value(of name: String) -> Substring? {
            parameters.first { $0.count == 2 && $0[0].trimmingCharacters(in: .whitespaces) == name }?[1]
        }
        guard value(of: "anchor") == nil else { return nil }
        relations = value(of: "rel")?.split { " \t\"".contains($0) }.map(String.init) ?? []
    }
}

extension String {
    /// The parts between the separators that stand outside of `"…"` and `<…>`.
    fileprivate func parts(separatedBy separator: Character) -> [String] {
        var parts = [""]
        var closing: Character?
        var isEscaped = false
        for character in self {
            if isEscaped {
                isEscaped = false
            } else if character == "\\", closing == "\"" {
                isEscaped = true
            } else if character == closing {
                closing = nil
            } else if closing == nil, character == "\"" || character == "<" {
                closing = character == "<" ? ">" : "\""
            } else if closing == nil, character == separator {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

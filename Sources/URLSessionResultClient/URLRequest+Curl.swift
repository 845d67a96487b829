import Foundation

extension URLRequest {
    /// Returns the command of `curl` that sends the same request. It has the line breaks of its body, and no others.
    ///
    /// ```text
    /// curl -X PUT 'https://example.com/albums/7?…' -H 'Authorization: …'
    /// ```
    ///
    /// A body that is not UTF-8, that of a HEAD, and one from a stream, is left out with a comment that says so. The body of an upload task is not part
    /// of a request.
    ///
    /// - Parameter showsSecrets: Whether the command shows the user info, the query, the values of header fields and the body. If not,
    ///   you may log it.
    /// - Returns: The command, quoted for a shell such as `sh`.
    public func curlCommand(showingSecrets showsSecrets: Bool = false) -> String {
        // With `-X HEAD`, curl would wait for a body.
        var arguments = ["curl"] + (method == .head ? ["--head"] : ["-X", method.rawValue])
        arguments.append((showsSecrets ? url?.absoluteString : url?.withoutSecrets) ?? "")
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            arguments += ["-H", "\(name): \(showsSecrets ? value : "…")"]
        }
        if let text = textOfBody { arguments += ["--data-raw", showsSecrets ? text : "…"] }
        return arguments.map(\.quotedForShell).joined(separator: " ") + commentOnBody
    }

    /// curl takes no body for a HEAD.
    private var textOfBody: String? { method == .head ? nil : httpBody?.textForShell }

    private var commentOnBody: String {
        if let httpBody, textOfBody == nil {
            return " # with a body of \(httpBody.count) bytes" + (method == .head ? "" : " that are no text")
        }
        return httpBodyStream == nil ? "" : " # with a body from a stream"
    }
}

extension Data {
    /// The text of the bytes, or nil if they are none. A shell takes no NUL in an argument.
    fileprivate var textForShell: String? { contains(0) ? nil : String(data: self, encoding: .utf8) }
}

extension String {
    fileprivate var quotedForShell: String {
        let isPlain = !isEmpty && percentEncoded(keeping: "/:=%") == self
        return isPlain ? self : "'\(replacing(["'": #"'\''"#]))'"
    }
}

extension URL {
    /// The URL without user info, and with `…` for its query.
    var withoutSecrets: String {
        var components = URLComponents(string: absoluteString)
        components?.user = nil
        components?.password = nil
        components?.query = nil
        components?.fragment = nil
        return (components?.string ?? "") + (query == nil ? "" : "?…")
    }
}

import Foundation

extension URLRequest {
    /// Returns the command of `curl` that sends the same request. It has the line breaks of its body, and no others.
    ///
    /// ```text
    /// curl -X PUT 'https://example.com/albums/7?…' -H 'Authorization: …'
    /// ```
    ///
    /// A body that is not UTF-8, that of a HEAD, and one from a stream cannot be part of the command: it names a file that there is not,
    /// so that nothing else is sent. The body of an upload task is not part of a request.
    ///
    /// - Parameter showsSecrets: Whether the command shows the user info, the query, the values of header fields and the body. If not,
    ///   you may log it.
    /// - Returns: The command, quoted for a shell such as `sh`.
    public func curlCommand(showingSecrets showsSecrets: Bool = false) -> String {
        // With `-X HEAD`, curl would wait for a body.
        var arguments = ["curl"] + (method == .head ? ["--head"] : ["-X", method.rawValue.withEscapedControls])
        arguments.append((showsSecrets ? url?.absoluteString : url?.withoutSecrets) ?? "")
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            let shownValue = showsSecrets ? value : "…"
            // curl leaves out a field that ends with a colon.
            let field = shownValue.isEmpty ? "\(name);" : "\(name): \(shownValue)"
            arguments += ["-H", field.onOneLine]
        }
        arguments += bodyArguments(showingSecrets: showsSecrets)
        return arguments.map(\.quotedForShell).joined(separator: " ")
    }

    /// Of a body that cannot be in the command, the name of a file that there is not: curl fails, and sends nothing.
    private func bodyArguments(showingSecrets showsSecrets: Bool) -> [String] {
        if httpBodyStream != nil { return ["--upload-file", "(a body from a stream)"] }
        guard let httpBody else { return [] }
        // curl takes no body for a HEAD.
        guard method != .head, let text = httpBody.textForShell else {
            return ["--upload-file", "(a body of \(httpBody.count) bytes)"]
        }
        return (sendsTypeOfForm ? [] : ["-H", "Content-Type:"]) + ["--data-raw", showsSecrets ? text : "…"]
    }

    /// Whether URLSession sends the content type that the request has, or that of a form, as curl does. Otherwise it sends none.
    private var sendsTypeOfForm: Bool {
        value(forHTTPHeaderField: "Content-Type") != nil || method == .post && httpBody?.isEmpty == false
    }
}

extension Data {
    /// The text of the bytes, or nil if they are none. A shell takes no NUL in an argument.
    fileprivate var textForShell: String? { contains(0) ? nil : String(data: self, encoding: .utf8) }
}

extension String {
    /// URLSession sends no field that has one.
    fileprivate var onOneLine: String { replacing(["\r": #"\r"#, "\n": #"\n"#]) }

    fileprivate var quotedForShell: String {
        // A shell may replace `~` by a folder, and a word that begins with `=` by a path.
        let isPlain = !isEmpty && !contains("~") && percentEncoded(keeping: "/:%") == self
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

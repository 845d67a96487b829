import Foundation

extension URLRequest {
    /// Returns the command of `curl` that sends the same request. It has the line breaks of its body, and no others.
    ///
    /// ```text
    /// curl -X PUT 'https://example.com/albums/7?…' -H 'Authorization: …'
    /// ```
    ///
    /// In middleware of a client, the command sends the file or the multipart form of the request (``uploadedFile``, ``uploadedForm``);
    /// curl chooses another boundary for a form. Elsewhere, as for ``APIClient/request(for:)``, it sends `httpBody` alone: for a file or a
    /// multipart form, use a ``RequestLog`` of the client.
    ///
    /// Some bodies cannot be part of the command: one that is not UTF-8, that of a HEAD, one from a stream, and a form that is not
    /// known or that curl cannot write, such as one with bytes that are not UTF-8. The command then names a file that does not
    /// exist, so that curl fails and sends nothing. The body of an upload task is not part of a request.
    ///
    /// - Parameter showsSecrets: Whether the command shows the user info, the query, the values of header fields, the body and
    ///   the names of files. If not, you may log it.
    /// - Returns: The command, quoted for a shell such as `sh`.
    public func curlCommand(showingSecrets showsSecrets: Bool = false) -> String {
        // With `-X HEAD`, curl would wait for a body.
        var arguments = ["curl"] + (method == .head ? ["--head"] : ["-X", method.rawValue.withEscapedControls])
        arguments.append((showsSecrets ? url?.absoluteString : url?.withoutSecrets) ?? "")
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            // curl writes this field itself, with a boundary of its own.
            if uploadedForm != nil, name.lowercased() == "content-type" { continue }
            let shownValue = showsSecrets ? value : "…"
            // curl sends no field that ends with a colon. With a semicolon, it sends an empty value.
            let field = shownValue.isEmpty ? "\(name);" : "\(name): \(shownValue)"
            arguments += ["-H", field.onOneLine]
        }
        arguments += bodyArguments(showingSecrets: showsSecrets)
        return arguments.map(\.quotedForShell).joined(separator: " ")
    }

    /// The arguments for the body. For a body that cannot be in the command, they name a file that does not exist: curl fails, and
    /// sends nothing.
    private func bodyArguments(showingSecrets showsSecrets: Bool) -> [String] {
        if let arguments = uploadedContent?.curlArguments(of: method, showingSecrets: showsSecrets) {
            return (uploadedFile == nil ? typeArguments : []) + arguments
        }
        if httpBodyStream != nil { return ["--upload-file", "(a body from a stream)"] }
        guard let httpBody else { return lacksForm ? ["--upload-file", "(a form)"] : [] }
        // curl takes no body for a HEAD.
        guard method != .head, let text = httpBody.textForShell else {
            return ["--upload-file", "(a body of \(httpBody.count) bytes)"]
        }
        return typeArguments + ["--data-raw", showsSecrets ? text : "…"]
    }

    /// Whether the request is for a multipart form whose parts are not known: only the client has them.
    private var lacksForm: Bool {
        value(forHTTPHeaderField: "Content-Type")?.lowercased().hasPrefix("multipart/form-data") == true
    }

    /// Stops curl from adding a content type that URLSession does not send.
    private var typeArguments: [String] { sendsTypeOfForm ? [] : ["-H", "Content-Type:"] }

    /// Whether URLSession sends the content type that the request has, or that of a form, as curl does. Otherwise it sends none.
    private var sendsTypeOfForm: Bool {
        value(forHTTPHeaderField: "Content-Type") != nil || method == .post && httpBody?.isEmpty == false
    }
}

extension Data {
    /// The bytes as text, or nil if they are not UTF-8, or have a NUL: a shell takes none in an argument.
    var textForShell: String? { contains(0) ? nil : String(data: self, encoding: .utf8) }
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

import Foundation

/// The arguments of `curl` for what a client sends in place of `httpBody`.
extension RequestBody.Content {
    /// The arguments, or nil if the body is that of the request.
    func curlArguments(of method: HTTPMethod, showingSecrets showsSecrets: Bool) -> [String]? {
        switch self {
        case .data, .json, .encodedForm:
            return nil
        case .file(let file):
            // curl takes no body for a HEAD.
            guard method != .head else { return ["--upload-file", "(a file)"] }
            return ["--data-binary", showsSecrets ? "@\(file.path)" : "@…"]
        case .multipart(let form):
            let values = form.parts.flatMap(\.curlArguments)
            guard method != .head, !values.isEmpty, !values.contains(nil) else {
                return ["--upload-file", "(a form)"]
            }
            return values.compactMap { $0 }.flatMap { ["-F", showsSecrets ? $0 : "…"] }
        }
    }
}

extension MultipartForm.Part {
    /// What follows `-F` for each content, or nil for one that curl cannot send.
    fileprivate var curlArguments: [String?] { contents.map(curlArgument) }

    private func curlArgument(for content: Content) -> String? {
        // curl takes the first one for the end of the name.
        guard !name.contains("="), !name.utf8.contains(0), let options else { return nil }
        switch content {
        case .data(let data):
            return data.textForShell.map { "\(name)=\($0.quotedForForm)\(options)" }
        case .file(let file):
            // curl chooses a content type if there is none.
            guard contentType != nil else { return nil }
            return "\(name)=@\(file.path.quotedForForm)\(options)"
        }
    }

    /// The file name and the content type, or nil if curl cannot send them.
    private var options: String? {
        let fileName = fileName.map { ";filename=\($0.quotedForForm)" } ?? ""
        guard let contentType else { return fileName }
        return contentType.isMediaTypeOfTokens ? "\(fileName);type=\(contentType)" : nil
    }
}

extension String {
    /// Whether it is a type, a subtype and parameters that need no quotation marks, which is what curl reads.
    fileprivate var isMediaTypeOfTokens: Bool {
        let parts = components(separatedBy: ";")
        let type = parts[0].components(separatedBy: "/")
        let parameters = parts.dropFirst().map { $0.drop { $0 == " " }.components(separatedBy: "=") }
        return ([type] + parameters).allSatisfy { pair in
            pair.count == 2 && pair.allSatisfy { HTTPMethod(rawValue: $0) != nil }
        }
    }

    /// In quotation marks, curl reads no options.
    fileprivate var quotedForForm: String { "\"\(replacing(["\\": #"\\"#, "\"": #"\""#]))\"" }
}

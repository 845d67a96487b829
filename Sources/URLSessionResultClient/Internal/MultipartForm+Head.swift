extension MultipartForm.Part {
    /// The header fields, with the empty line after them.
    var head: String {
        let fileName = fileName.map { "; filename=\($0.quoted)" } ?? ""
        let contentType = contentType.map { "Content-Type: \($0.withoutLineBreaks)\r\n" } ?? ""
        return "Content-Disposition: form-data; name=\(name.quoted)\(fileName)\r\n\(contentType)\r\n"
    }
}

extension String {
    /// The text with line breaks escaped, as browsers do it (WHATWG HTML, "multipart/form-data encoding algorithm").
    fileprivate var withoutLineBreaks: String {
        replacing(["\r": "%0D", "\n": "%0A"])
    }

    fileprivate var quoted: String { "\"\(withoutLineBreaks.replacing(["\"": "%22"]))\"" }
}

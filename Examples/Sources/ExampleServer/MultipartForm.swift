import Foundation

/// The parts of a form that may have files (RFC 7578).
struct MultipartForm {
    struct Part {
        let name: String
        let fileName: String?
        let content: Data
    }

    private let parts: [Part]

    /// The form is `nil` if its content type is not `multipart/form-data`.
    init?(_ body: Data, contentType: String) {
        guard let boundary = contentType.wholeMatch(of: /multipart\/form-data; *boundary="?([^"]+)"?/)?.1 else {
            return nil
        }
        let delimiter = Data("--\(boundary)".utf8)
        var parts: [Part] = []
        var start = body.range(of: delimiter)?.upperBound
        while let begin = start, let end = body.range(of: Data("\r\n".utf8) + delimiter, in: begin..<body.endIndex) {
            if let part = Part(body[begin..<end.lowerBound]) { parts.append(part) }
            start = end.upperBound
        }
        self.parts = parts
    }

    subscript(name: String) -> Part? { parts.first { $0.name == name } }
}

extension MultipartForm.Part {
    /// Reads a header and a content with an empty line between.
    fileprivate init?(_ bytes: Data) {
        guard let separator = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let header = String(decoding: bytes[..<separator.lowerBound], as: UTF8.self)
        guard let name = header.firstMatch(of: /[; ]name="([^"\r\n]*)"/)?.1 else { return nil }
        self.name = String(name)
        fileName = header.firstMatch(of: /filename="([^"\r\n]*)"/).map { String($0.1) }
        content = Data(bytes[separator.upperBound...])
    }
}

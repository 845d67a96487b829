import Foundation

extension URLRequest {
    var method: HTTPMethod { httpMethod.map { HTTPMethod(unchecked: $0) } ?? .get }

    /// Sets a header field.
    ///
    /// - Throws: `NetworkError.encodingError` if the name or the value would end it and begin another one. `URLRequest` drops
    ///   such a value silently on Linux.
    mutating func setField(_ name: String, _ value: String) throws(NetworkError) {
        guard isField(name, value) else { throw .invalid(name, "This is no header field.") }
        setValue(value, forHTTPHeaderField: name)
    }

    mutating func setFields(_ fields: [String: String]) throws(NetworkError) {
        for (name, value) in fields { try setField(name, value) }
    }

    /// Throws if there is no URL, or if the method or a header field would end the line in which it is sent, whoever has set it.
    ///
    /// On Linux, a request without a URL crashes when it is changed.
    func check() throws(NetworkError) {
        guard url != nil else { throw .transportError(code: .badURL) }
        try method.check()
        for (name, value) in allHTTPHeaderFields ?? [:] where !isField(name, value) {
            throw .invalid(name, "This is no header field.")
        }
    }

    /// Throws if it has a body, where a file or a form is sent.
    func checkHasNoBody() throws(NetworkError) {
        guard httpBody == nil, httpBodyStream == nil else {
            throw .invalid(
                httpBody == nil ? "httpBodyStream" : "httpBody",
                "This request sends a file or a form, and no other body.")
        }
    }
}

extension HTTPMethod {
    /// Throws if it would end the line in which it is sent.
    func check() throws(NetworkError) {
        guard HTTPMethod(rawValue: rawValue) != nil else { throw .invalid(rawValue, "This is no method.") }
    }
}

/// RFC 9110, sections 5.1 and 5.5.
private func isField(_ name: String, _ value: String) -> Bool {
    HTTPMethod(rawValue: name) != nil && !value.utf8.contains { [0, 10, 13].contains($0) }
}

extension NetworkError {
    /// The error does not have the value of a field, which may be secret.
    static func invalid(_ name: String, _ reason: String) -> NetworkError {
        let context = EncodingError.Context(codingPath: [NameKey(stringValue: name)], debugDescription: reason)
        return .encodingError(EncodingError.invalidValue(name, context))
    }
}

/// A header field, a method or a parameter in the coding path of an error.
private struct NameKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

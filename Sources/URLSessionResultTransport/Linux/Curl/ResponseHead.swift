#if canImport(FoundationNetworking)

import Foundation

/// The head of a response, line by line.
///
/// What libcurl lets through is read as Apple's URLSession reads it: lines may end in LF alone, the reason may be missing, a name may come
/// in several capitalizations, and bytes that are not UTF-8 are Latin-1.
struct ResponseHead {
    enum Line {
        case more

        /// The last line of the head.
        case complete

        /// It belongs to no head: a trailer.
        case ignored
        case malformed
    }

    private struct Field {
        /// As it came first.
        let name: String
        var value: String
    }

    private var version = ""
    private(set) var statusCode = 0
    private var fields: [Field] = []

    /// The places of the fields, by their names in lower case.
    private var places: [String: Int] = [:]
    private var latestPlace = 0

    /// The `Set-Cookie` fields. Joined to one, some cannot be told apart.
    private(set) var cookies: [String] = []

    /// Whether it came over HTTP/2, where a response may be whole before the request is.
    var isOfHTTP2: Bool { version.hasPrefix("HTTP/2") }

    /// Whether the final head is there.
    private(set) var isComplete = false

    /// Takes a line, with its end. libcurl has judged it, too.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Line {
        guard !isComplete else { return .ignored }
        // A connection has closed within the end of a line. libcurl 8.18 gives it all the same.
        if line.last == UInt8(ascii: "\r") { return .more }
        // libcurl before 7.83 lets a NUL through.
        guard line.last == UInt8(ascii: "\n"), !line.contains(0) else { return .malformed }
        let text = line.dropLast()
        let line = UnsafeRawBufferPointer(rebasing: text.last == UInt8(ascii: "\r") ? text.dropLast() : text)
        if line.isEmpty { return end() }
        if statusCode == 0 { return begin(with: line) ? .more : .malformed }
        return addField(line) ? .more : .malformed
    }

    private mutating func begin(with line: UnsafeRawBufferPointer) -> Bool {
        // The reason may be missing, and the blank before it.
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let code = Int(parts[1].text), 100...999 ~= code else { return false }
        version = parts[0].text
        statusCode = code
        return true
    }

    private mutating func addField(_ line: UnsafeRawBufferPointer) -> Bool {
        if line[0].isBlank {
            // A folded field.
            guard latestPlace < fields.count else { return false }
            let more = line[...].withoutBlanks.text
            fields[latestPlace].value += " \(more)"
            if latestPlace == places[Self.nameOfCookies], let cookie = cookies.popLast() {
                cookies.append("\(cookie) \(more)")
            }
            return true
        }
        guard let colon = line.firstPosition(of: ":", in: 0..<line.count), colon > 0,
            line[..<colon].allSatisfy(\.isInToken)
        else { return false }
        let key = line[..<colon].lowercased
        let value = line[(colon + 1)...].withoutBlanks.text
        if key == Self.nameOfCookies { cookies.append(value) }
        if let place = places[key] {
            fields[place].value += ", \(value)"
            latestPlace = place
        } else {
            latestPlace = fields.count
            places[key] = latestPlace
            fields.append(Field(name: line[..<colon].text, value: value))
        }
        return true
    }

    private static let nameOfCookies = "set-cookie"

    /// After 103 (Early Hints), for example, another head follows (RFC 9110, section 15.2). After 101, the rest is another protocol's.
    private mutating func end() -> Line {
        guard statusCode != 0 else { return .malformed }
        guard statusCode >= 200 || statusCode == 101 else {
            self = ResponseHead()
            return .more
        }
        guard
            Self.namesOfParsedFields.allSatisfy({ name in
                places[name].map { fields[$0].value.utf8.count <= Self.longestParsedField } ?? true
            })
        else { return .malformed }
        isComplete = true
        return .complete
    }

    /// `HTTPURLResponse.init` looks at these, in a time that grows with the square of their length: all transfers would wait for it.
    private static let namesOfParsedFields = ["content-type", "content-disposition"]
    private static let longestParsedField = 8192

    func response(from url: URL) -> HTTPURLResponse? {
        HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: version,
            headerFields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) }))
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var withoutBlanks: Self {
        var rest = drop(while: \.isBlank)
        while rest.last?.isBlank == true { rest = rest.dropLast() }
        return rest
    }

    /// The text in lower case, of bytes that are ASCII.
    fileprivate var lowercased: String {
        String(unsafeUninitializedCapacity: count) { text in
            for (place, character) in zip(text.indices, self) {
                text[place] = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= character ? character | 0x20 : character
            }
            return count
        }
    }

    /// The text, whose bytes are those of Latin-1 if they are not those of UTF-8.
    fileprivate var text: String {
        String(validating: self, as: UTF8.self)
            ?? String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    }
}

#endif

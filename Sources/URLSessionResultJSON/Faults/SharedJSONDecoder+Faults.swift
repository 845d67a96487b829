import Foundation

extension SharedJSONDecoder {
    /// The longest document, in bytes, in which a number that does not fit is searched, by decoding the document or an element
    /// again.
    static var longestSearchedDocument: Int { 1024 * 1024 }

    /// Decodes a document. If the error of `JSONDecoder` does not say where the document is wrong, it gets a ``JSONFault`` beneath
    /// it.
    ///
    /// Only an error costs something: the document is read once more and, if a number may not fit, decoded again about log2(n)
    /// times for n numbers.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - decode: A function that decodes the document, or a changed copy of it.
    /// - Returns: The value.
    /// - Throws: The error of `decode`.
    package func explainingFaults<Value>(of document: Data, _ decode: @escaping (Data) throws -> Value) throws -> Value
    {
        do {
            return try decode(document)
        } catch DecodingError.dataCorrupted(let context) where context.isInvalidJSON && context.underlyingError == nil {
            guard let fault = fault(of: document, whenDecodedBy: decode) else {
                throw DecodingError.dataCorrupted(context)
            }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: context.codingPath, debugDescription: context.debugDescription, underlyingError: fault))
        }
    }

    private func fault<Value>(of document: Data, whenDecodedBy decode: @escaping (Data) throws -> Value) -> JSONFault? {
        // These decoders may accept other documents than standard JSON.
        let isSubclass = type(of: decoder) != JSONDecoder.self
        guard !isSubclass, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary else { return nil }
        if let offset = document.firstWrongByte { return .syntax(JSONPlace(of: offset, in: document)) }
        guard document.isPlainUTF8, !document.isCutOffJSON, document.count <= Self.longestSearchedDocument else {
            return nil
        }
        let search = JSONNumberSearch(in: document) { document in
            do {
                _ = try decode(document)
                return nil
            } catch {
                return error
            }
        }
        return search.fault
    }
}

/// Finds the number that `JSONDecoder` cannot decode, by decoding copies of the document in which other numbers are replaced.
private struct JSONNumberSearch {
    private let document: Data
    private let tokens: JSONTokens
    private let error: (Data) -> (any Error)?

    /// The numbers that may not fit their types: all except natural numbers up to 127, which fit every type.
    private let suspects: [Range<Int>]

    /// - Parameters:
    ///   - document: The document.
    ///   - error: A function that decodes a document, and gives the error.
    init(in document: Data, error: @escaping (Data) -> (any Error)?) {
        self.document = document
        self.error = error
        tokens = JSONTokens(of: document)
        suspects = tokens.numbers.filter { !document.text(in: $0).fitsEveryType }
    }

    var fault: JSONFault? {
        guard isInvalid(keeping: suspects.count) else { return nil }
        guard !isInvalid(keeping: 0) else { return faultOfString }
        // Searches the first suspect that makes the document invalid. The document is valid if the first `validCount` suspects are kept,
        // and invalid if the first `invalidCount` ones are.
        var (validCount, invalidCount) = (0, suspects.count)
        while invalidCount - validCount > 1 {
            let middle = (validCount + invalidCount) / 2
            if isInvalid(keeping: middle) { invalidCount = middle } else { validCount = middle }
        }
        return fault(ofSuspect: validCount)
    }

    /// Whether the document is invalid if only the first suspects are kept.
    private func isInvalid(keeping count: Int) -> Bool {
        guard case DecodingError.dataCorrupted(let context)? = error(document(keeping: count)) else { return false }
        return context.isInvalidJSON
    }

    /// - Parameters:
    ///   - count: How many suspects are kept. Each of the others becomes 0.
    ///   - number: What the last suspect that is kept is replaced by. Nil to keep it, too.
    /// - Returns: The changed copy of the document.
    private func document(keeping count: Int, replacingLastBy number: String? = nil) -> Data {
        var copy = Data()
        var position = 0
        for (index, suspect) in suspects.enumerated() {
            let isLast = index == count - 1
            guard let text = index >= count ? "0" : isLast ? number : nil else { continue }
            copy += document.part(position..<suspect.lowerBound) + Data(text.utf8)
            position = suspect.upperBound
        }
        return copy + document.part(position..<document.count)
    }

    /// With a string in place of the number, `JSONDecoder` throws a type mismatch, which has the path and the type of the number.
    private func fault(ofSuspect index: Int) -> JSONFault? {
        let suspect = suspects[index]
        let text = document.text(in: suspect)
        guard text.isNumberOfJSON else { return .syntax(JSONPlace(of: suspect.lowerBound, in: document)) }
        let other = document(keeping: index + 1, replacingLastBy: #""""#)
        guard case DecodingError.typeMismatch(let type, let context)? = error(other), !text.fits(type) else {
            return nil
        }
        return .number(path: context.codingPath, type: "\(type)")
    }

    /// The place of a malformed string. Nil if there are several: `JSONDecoder` may have decoded only some of them.
    private var faultOfString: JSONFault? {
        let malformations = tokens.strings.lazy.compactMap { document.malformation(inString: $0) }.prefix(2)
        guard malformations.count == 1, let offset = malformations.first else { return nil }
        return .syntax(JSONPlace(of: offset, in: document))
    }
}

extension Data {
    fileprivate func part(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }

    fileprivate func text(in range: Range<Int>) -> String { String(decoding: part(range), as: UTF8.self) }
}

extension String {
    /// Whether it is a number up to 127 without a sign, which each type of a number has.
    fileprivate var fitsEveryType: Bool { Int8(self).map { String($0) == self && $0 >= 0 } ?? false }

    /// Whether it is a number of JSON (RFC 8259, section 6).
    fileprivate var isNumberOfJSON: Bool {
        range(of: #"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"#, options: .regularExpression) != nil
    }

    /// Whether a number fits a type, as far as it can be told. Then it is not the one that `JSONDecoder` rejects.
    fileprivate func fits(_ type: Any.Type) -> Bool {
        switch type {
        case let integer as any FixedWidthInteger.Type: integer.has(self)
        case let float as any BinaryFloatingPoint.Type: float.has(self)
        default: false
        }
    }
}

extension FixedWidthInteger {
    fileprivate static func has(_ number: String) -> Bool {
        Self(number) != nil || Double(number).flatMap { Self(exactly: $0) } != nil
    }
}

extension BinaryFloatingPoint {
    fileprivate static func has(_ number: String) -> Bool { Double(number).map { Self($0).isFinite } ?? false }
}

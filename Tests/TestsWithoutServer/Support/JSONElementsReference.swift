import Foundation

@testable import URLSessionResultJSON
@testable import TestSupport

/// What `elements` promises, in terms of `JSONDecoder` alone.
enum JSONElementsReference {
    /// What a document is split into.
    struct Splitting {
        var elements: [JSONElement] = []

        /// Why there are no more, unless it is the end of the document.
        var error: String?

        /// Whether it has the same elements in the same places, and ends in the same way.
        func isEqual(to other: Splitting) -> Bool {
            error == other.error && elements.map(\.bytes) == other.elements.map(\.bytes)
                && elements.map { $0.codingPath.map(\.stringValue) }
                    == other.elements.map { $0.codingPath.map(\.stringValue) }
                && elements.map { $0.codingPath.map(\.intValue) }
                    == other.elements.map { $0.codingPath.map(\.intValue) }
        }
    }

    /// Compares the elements of a document with those that `JSONDecoder` finds: with the document as it is, with its member
    /// `a.b`, and with the document as the member `a.b` of another one.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - ways: Ways to divide it, each with the sizes of the pieces. The last piece is the rest.
    ///   - type: What the elements are decoded as.
    /// - Returns: Where they differ, or depend on the pieces.
    static func disagreement<Element: Decodable & Equatable & SendableMetatype & Sendable>(
        on document: Data, divided ways: [[Int]], of type: Element.Type
    ) -> String? {
        let enveloped = Data(#"{"c":[{"a":1}],"a":{"x":"]}","b":"#.utf8) + document + Data("} }".utf8)
        for (document, envelope) in [(document, .none), (document, .ab), (enveloped, .ab)] as [(Data, Envelope)] {
            let whole = splitting(document, inPiecesOf: [], at: envelope.path)
            for sizes in ways {
                let found = splitting(document, inPiecesOf: sizes, at: envelope.path)
                guard found.isEqual(to: whole) else {
                    return "at \(envelope.path) in pieces of \(sizes): \(found) instead of \(whole)"
                }
            }
            func decoded(asArray isArray: Bool) -> [JSONOutcome<Element>] {
                whole.elements.map { element in JSONOutcome { try decode(element, ofArray: isArray, as: type) } }
            }
            let expected = JSONOutcome { try elements(of: document, envelope, of: type) }
            switch expected {
            case .value(let elements):
                let isArray = (try? envelope.decode(JSONReference.Shape.self, from: document)) == .array
                let decoded = decoded(asArray: isArray)
                guard whole.error == nil, decoded == elements else {
                    return "at \(envelope.path): \(decoded), \(whole.error ?? "whole") instead of \(elements)"
                }
            case .error:
                let areInBeginning = [true, false].contains { isArray in
                    let decoded = decoded(asArray: isArray)
                    let bracket = isArray ? "]" : "}"
                    return isBeginning(decoded, until: whole.elements.last, of: document, envelope, closedBy: bracket)
                }
                guard whole.error != nil, areInBeginning else {
                    return "at \(envelope.path): \(whole) instead of \(expected)"
                }
            }
        }
        return nil
    }

    /// Whether `JSONDecoder` finds these elements in a beginning of a document that is closed after the last one.
    private static func isBeginning<Element: Decodable & Equatable & Sendable>(
        _ decoded: [JSONOutcome<Element>], until last: JSONElement?, of document: Data, _ envelope: Envelope,
        closedBy bracket: String
    ) -> Bool {
        guard let last else { return true }
        let closing = Data((bracket + envelope.path.closing).utf8)
        return (0...document.count).contains { count in
            let beginning = document.prefix(count)
            // So that JSONDecoder is not asked for each of them.
            guard beginning.last == last.bytes.last else { return false }
            return (try? elements(of: beginning + closing, envelope, of: Element.self)) == decoded
        }
    }

    typealias Envelope = JSONReference.Envelope

    /// Splits a document that arrives in pieces.
    private static func splitting(_ document: Data, inPiecesOf sizes: [Int], at path: JSONKeyPath) -> Splitting {
        var splitter = JSONElementSplitter(at: path)
        var splitting = Splitting()
        var rest = document
        do {
            for size in sizes + [document.count] {
                splitter.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let element = try splitter.next() { splitting.elements.append(element) }
            }
            try splitter.finish()
        } catch {
            splitting.error = signature(of: error)
        }
        return splitting
    }

    private static func decode<Element: Decodable & SendableMetatype>(
        _ element: JSONElement, ofArray isArray: Bool, as type: Element.Type
    ) throws -> Element {
        do {
            return try SharedJSONDecoder(decoder: JSONDecoder()).value(type, in: element.bytes)
        } catch {
            throw DecodingError(error, inside: pathOfJSONDecoder(to: element, ofArray: isArray))
        }
    }

    /// `JSONDecoder` knows of a member no more than the name.
    private static func pathOfJSONDecoder(to element: JSONElement, ofArray isArray: Bool) -> [JSONKey] {
        var path = element.codingPath
        let key = path.removeLast()
        return path + [isArray ? key : JSONKey(stringValue: key.stringValue)]
    }

    /// The elements that `JSONDecoder` finds.
    private static func elements<Element: Decodable & Equatable & Sendable>(
        of document: Data, _ envelope: Envelope, of type: Element.Type
    ) throws -> [JSONOutcome<Element>] {
        // JSONDecoder reads other encodings, too.
        let isOtherEncoding = document.prefix(2).contains { [0, 0xFE, 0xFF].contains($0) }
        guard !isOtherEncoding else { throw CocoaError(.fileReadInapplicableStringEncoding) }
        let elements: [JSONSkippableElement<Element>]
        switch try envelope.decode(JSONReference.Shape.self, from: document) {
        case .null: elements = []
        case .array: elements = try envelope.decode([JSONSkippableElement<Element>].self, from: document)
        case .other: elements = try JSONReference.values(of: JSONSkippableElement<Element>.self, in: document, envelope)
        }
        return elements.map { element in JSONOutcome { try element.result.get() } }
    }
}

/// Any JSON value, all of which is read.
indirect enum JSONContent: Decodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONContent])
    case object([String: JSONContent])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONContent].self))
        } else if let object = try? container.decode([String: JSONContent].self) {
            self = .object(object)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }
}

/// An element that reads nothing, so that what `JSONDecoder` checks only when asked stays unchecked.
struct JSONUnread: Decodable, Equatable, Sendable {
    init(from decoder: any Decoder) {}
}

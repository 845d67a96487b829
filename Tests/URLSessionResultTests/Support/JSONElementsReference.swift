import Foundation

// The fuzz target compiles this file and the library's as one module.
#if canImport(URLSessionResult)
@testable import URLSessionResult
#endif

/// What `elements` promises, in terms of `JSONDecoder` alone.
enum JSONElementsReference {
    /// What reading a document in pieces gives.
    struct Reading<Element: Equatable & Sendable>: Equatable {
        var elements: [JSONOutcome<Element>] = []

        /// Why there are no more, unless it is the end of the document.
        var error: String?
    }

    /// Tells where the elements of a document are not those that `JSONDecoder` finds, or depend on the pieces: with the
    /// document as it is, with its member `a.b`, and with the document as the member `a.b` of another one.
    ///
    /// The sizes are those of the pieces; the last piece is the rest.
    static func disagreement<Element: Decodable & Equatable & SendableMetatype & Sendable>(
        on document: Data, inPiecesOf sizes: [Int], of type: Element.Type
    ) -> String? {
        let enveloped = Data(#"{"c":[{"a":1}],"a":{"x":"]}","b":"#.utf8) + document + Data("} }".utf8)
        for (document, envelope) in [(document, .none), (document, .ab), (enveloped, .ab)] as [(Data, Envelope)] {
            let found = reading(document, inPiecesOf: sizes, of: type, at: envelope.path)
            let inOnePiece = reading(document, inPiecesOf: [], of: type, at: envelope.path)
            guard found == inOnePiece else { return "at \(envelope.path) in pieces: \(found) instead of \(inOnePiece)" }
            let expected = JSONOutcome { try elements(of: document, envelope, of: type) }
            switch expected {
            case .value(let elements):
                guard found == Reading(elements: elements) else {
                    return "at \(envelope.path): \(found) instead of \(elements)"
                }
            case .error:
                guard found.error != nil else { return "at \(envelope.path): \(found) instead of \(expected)" }
            }
        }
        return nil
    }

    typealias Envelope = JSONReference.Envelope

    /// Reads a document in pieces.
    static func reading<Element: Decodable & Equatable & SendableMetatype & Sendable>(
        _ document: Data, inPiecesOf sizes: [Int], of type: Element.Type, at path: JSONKeyPath
    ) -> Reading<Element> {
        var splitter = JSONElementSplitter(at: path)
        var reading = Reading<Element>()
        var rest = document
        do {
            for size in sizes + [document.count] {
                splitter.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let element = try splitter.next() {
                    reading.elements.append(JSONOutcome { try decode(element) })
                }
            }
            try splitter.finish()
        } catch {
            reading.error = signature(of: error)
        }
        return reading
    }

    private static func decode<Element: Decodable & SendableMetatype>(_ element: JSONElement) throws -> Element {
        switch ResultDecoder.json(Element.self).decode(.success(element.bytes)) {
        case .success(let value):
            return value
        case .failure(.decodingError(let error, _)):
            throw DecodingError(error, inside: pathOfJSONDecoder(to: element))
        case .failure(let error):
            throw error
        }
    }

    /// `JSONDecoder` knows of a member no more than the name.
    private static func pathOfJSONDecoder(to element: JSONElement) -> [JSONKey] {
        var path = element.codingPath
        let key = path.removeLast()
        let isIndex = key.stringValue == "Index \(key.intValue ?? 0)"
        return path + [isIndex ? key : JSONKey(stringValue: key.stringValue)]
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

import Foundation

@testable import URLSessionResultJSON

extension SharedJSONDecoder {
    /// Never splits a document.
    static var whole: SharedJSONDecoder { SharedJSONDecoder(decoder: JSONDecoder(), partSize: .max) }

    /// Splits even the smallest document, after each member if it can.
    static var inParts: SharedJSONDecoder { inParts(JSONDecoder()) }

    static func inParts(_ decoder: JSONDecoder) -> SharedJSONDecoder {
        SharedJSONDecoder(decoder: decoder, partSize: 1, cores: FreeCores(8))
    }

    /// Decodes a document in parts, or returns `nil` when it is left to `JSONDecoder`.
    func onlyInParts<Element: Decodable & SendableMetatype>(
        _ collection: JSONCollection, of type: Element.Type, in document: Data, at path: JSONKeyPath = .root
    ) -> [Element]? {
        cores.borrow(atMost: usefulCores(for: document)) { cores in
            guard cores > 1, let splitter = splitter(of: document, at: path), splitter.collection == collection else {
                return nil
            }
            return elementsInParts(of: splitter, as: type, cores: cores)
        }
    }
}

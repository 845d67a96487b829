import Foundation

/// An element, or the reason why there is none: decoding one always succeeds.
struct JSONLossyElement<Element: Decodable>: Decodable {
    let result: Result<Element, any Error>

    init(from decoder: any Decoder) throws {
        // Asked of a container, because only there JSONDecoder applies its strategies for dates, data and URLs.
        let container = try decoder.singleValueContainer()
        result = Result { try container.decode(Element.self) }.mapError { error in
            // A type that is private to Foundation, for 1.5 where an Int is wanted and the like. JSONDecoder says this
            // instead once the error has reached the top, which the error of an element left out never does.
            let name = String(reflecting: type(of: error))
            guard ["FoundationEssentials.JSONError", "Foundation.JSONError"].contains(name) else { return error }
            // Left out below it, for it counts the lines of a part, not of the document.
            let message = "The given data was not valid JSON."
            return DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
    }
}

extension Sequence {
    /// Returns the elements that are valid, and reports the others with their position.
    func valid<T>(reportingOthersTo report: (Int, any Error) -> Void) -> [T] where Element == JSONLossyElement<T> {
        enumerated().compactMap { index, element in
            if case .failure(let error) = element.result { report(index, error) }
            return try? element.result.get()
        }
    }
}

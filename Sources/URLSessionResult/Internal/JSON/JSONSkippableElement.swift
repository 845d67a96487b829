import Foundation

/// An element, or the reason why there is none: decoding one always succeeds.
struct JSONSkippableElement<Element: Decodable>: Decodable {
    let result: Result<Element, any Error>

    init(from decoder: any Decoder) throws {
        // A container decodes, because only there JSONDecoder applies its strategies for dates, data and URLs.
        let container = try decoder.singleValueContainer()
        result = Result { try container.decode(Element.self) }
            .mapError { error in
                guard error.isPrivateToFoundation else { return error }
                // JSONDecoder throws this once such an error has reached the top, which that of a skipped element never
                // does. Left out is what lies underneath: it counts the lines of a part, not of the document.
                let message = "The given data was not valid JSON."
                return DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
            }
    }
}

extension Error {
    /// Whether it is what `JSONDecoder` throws inside itself, for 1.5 where an `Int` is wanted and the like.
    fileprivate var isPrivateToFoundation: Bool {
        let name = String(reflecting: type(of: self))
        return name == "FoundationEssentials.JSONError" || name == "Foundation.JSONError"
    }
}

extension Sequence {
    /// Returns the elements that are valid, and reports the others with their position.
    func valid<T>(reportingOthersTo report: (Int, any Error) -> Void) -> [T] where Element == JSONSkippableElement<T> {
        var valid: [T] = []
        for (index, element) in enumerated() {
            switch element.result {
            case .success(let value): valid.append(value)
            case .failure(let error): report(index, error)
            }
        }
        return valid
    }
}

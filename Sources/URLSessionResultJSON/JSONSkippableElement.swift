import Foundation

/// An element or the error that decoding it threw. Decoding this type always succeeds.
package struct JSONSkippableElement<Element: Decodable>: Decodable {
    let result: Result<Element, any Error>

    package init(from decoder: any Decoder) throws {
        // Through a container, because JSONDecoder applies its strategies for dates, data and URLs only there.
        let container = try decoder.singleValueContainer()
        result = Result { try container.decode(Element.self) }
            .mapError { error in
                guard error.isPrivateToFoundation else { return error }
                // JSONDecoder replaces a private error by this one when it leaves decode(_:from:). The error of a skipped element
                // never leaves it, so it is replaced here. The private error is dropped: its line numbers are those of a part.
                let message = JSONFault.messageOfElement
                return DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
            }
    }
}

extension Error {
    /// Whether this is the error that `JSONDecoder` uses internally, for example if it finds 1.5 instead of an `Int`.
    fileprivate var isPrivateToFoundation: Bool {
        let name = String(reflecting: type(of: self))
        return name == "FoundationEssentials.JSONError" || name == "Foundation.JSONError"
    }
}

extension Sequence {
    /// Returns the valid elements and reports the others with their positions.
    package func valid<T>(reportingOthersTo report: (Int, any Error) -> Void) -> [T]
    where Element == JSONSkippableElement<T> {
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

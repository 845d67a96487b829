import Foundation

/// An element, or the reason why there is none: decoding one always succeeds.
enum JSONLossyElement<Element: Decodable>: Decodable {
    case valid(Element)
    case invalid(any Error)

    init(from decoder: any Decoder) throws {
        do {
            // Asked of a container, because only there JSONDecoder applies its strategies for dates, data and URLs.
            self = .valid(try decoder.singleValueContainer().decode(Element.self))
        } catch {
            self = .invalid(JSONParserFailure.decodingError(for: error, at: decoder.codingPath))
        }
    }
}

extension Sequence {
    /// Returns the elements that are valid and reports the others with their position; `nil` is neither.
    func validElements<Element>(
        reportingOthersTo report: (_ index: Int, _ error: any Error) -> Void
    ) -> [Element] where Self.Element == JSONLossyElement<Element>? {
        enumerated().compactMap { index, element in
            switch element {
            case .valid(let element): return element
            case .invalid(let error): report(index, error)
            case nil: break
            }
            return nil
        }
    }

    func validElements<Element>(
        reportingOthersTo report: (_ index: Int, _ error: any Error) -> Void
    ) -> [Element] where Self.Element == JSONLossyElement<Element> {
        lazy.map(Optional.some).validElements(reportingOthersTo: report)
    }
}

extension JSONValues {
    func validElements<Valid>(
        reportingOthersTo report: (_ index: Int, _ error: any Error) -> Void
    ) -> [Valid] where Element == JSONLossyElement<Valid> {
        switch self {
        case .members(let members): members.validElements(reportingOthersTo: report)
        case .elements(let elements): elements.validElements(reportingOthersTo: report)
        }
    }
}

/// What `JSONDecoder` throws inside itself for text that it cannot convert, such as 1.5 where an `Int` is wanted.
///
/// It turns it into a `DecodingError` once it has reached the top, which the error of an element left out never does. The
/// type is not public, so it is learnt from an example.
private enum JSONParserFailure {
    private static let type: (any Error.Type)? = {
        let example = try? JSONDecoder().decode([JSONExample].self, from: Data("[1.5]".utf8)).first
        return example?.error.map { Swift.type(of: $0) }
    }()

    static func decodingError(for error: any Error, at codingPath: [any CodingKey]) -> any Error {
        guard !(error is DecodingError), Swift.type(of: error) == type else { return error }
        return DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "The given data was not valid JSON.",
                underlyingError: error
            )
        )
    }

    private struct JSONExample: Decodable {
        let error: (any Error)?

        init(from decoder: any Decoder) throws {
            do {
                _ = try decoder.singleValueContainer().decode(Int.self)
                error = nil
            } catch {
                self.error = error
            }
        }
    }
}

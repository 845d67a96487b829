import Foundation

/// An element, or the reason why there is none: decoding one always succeeds.
enum JSONLossyElement<Element: Decodable>: Decodable {
    case valid(Element)
    case invalid(any Error)

    init(from decoder: any Decoder) throws {
        do {
            // Asked of a container, because only there JSONDecoder applies its strategies for dates, data and URLs.
            self = .valid(try decoder.singleValueContainer().decode(Element.self))
        } catch  where "\(type(of: error))" == "JSONError" {
            // A type that is private to Foundation, for 1.5 where an Int is wanted and the like. JSONDecoder says this
            // instead once the error has reached the top, which the error of an element left out never does.
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "The given data was not valid JSON.",
                underlyingError: error
            )
            self = .invalid(DecodingError.dataCorrupted(context))
        } catch {
            self = .invalid(error)
        }
    }
}

extension Sequence {
    /// Returns the elements that are valid, and reports the others with their position.
    func validElements<Element>(
        reportingOthersTo report: (_ index: Int, _ error: any Error) -> Void
    ) -> [Element] where Self.Element == JSONLossyElement<Element> {
        enumerated().compactMap { index, element in
            switch element {
            case .valid(let element): return element
            case .invalid(let error): report(index, error)
            }
            return nil
        }
    }
}

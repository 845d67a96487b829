import Foundation

/// The items of a query or a form, in order.
///
/// ```swift
/// let query: QueryItems = [
///     "artist": "Elis & Tom", "page": 2, "year": year,
/// ]
/// ```
///
/// An item whose value is `nil`, as `year` may be, is left out. A name may occur several times. Names and values are percent-encoded,
/// so that a plus sign is not taken for a space.
public struct QueryItems: Sendable, ExpressibleByDictionaryLiteral {
    /// The items. One whose value is `nil` is sent as a name without a value.
    public var items: [URLQueryItem]

    /// Creates the items of a query or a form.
    public init(_ items: [URLQueryItem]) { self.items = items }

    /// Creates the items of a query or a form. Those whose value is `nil` are left out.
    public init(dictionaryLiteral elements: (String, (any RequestValue)?)...) {
        items = []
        for (name, value) in elements { append(name, value) }
    }

    /// Adds an item, unless its value is `nil`.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public mutating func append(_ name: String, _ value: (any RequestValue)?) {
        if let value { items.append(URLQueryItem(name: name, value: value.requestValue)) }
    }

    /// The items as they are sent: `artist=Elis%20%26%20Tom&page=2`.
    public var percentEncoded: String {
        let pairs = items.map { item in
            item.name.percentEncoded() + (item.value.map { "=\($0.percentEncoded())" } ?? "")
        }
        return pairs.joined(separator: "&")
    }
}

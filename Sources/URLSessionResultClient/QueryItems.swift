import Foundation

/// The items of a query or a form, in order.
///
/// ```swift
/// let query: QueryItems = [
///     "artist": "Elis & Tom", "page": 2, "year": year,
///     "tag": ["bossa nova", "live"],
/// ]
/// ```
///
/// An item whose value is `nil`, as `year` may be, is left out. A name may occur several times: an array repeats it for each of its values.
/// Names and values are percent-encoded, so that a plus sign is not taken for a space.
public struct QueryItems: Sendable, ExpressibleByDictionaryLiteral {
    /// The items. One whose value is `nil` is sent as a name without a value.
    public var items: [URLQueryItem]

    /// Values with commas between them, percent-encoded, by their items. In these, the commas of a value are told from the others.
    private var lists: [URLQueryItem: String] = [:]

    /// Creates the items of a query or a form.
    public init(_ items: [URLQueryItem]) { self.items = items }

    /// Creates the items of a query or a form. Those whose value is `nil` are left out.
    public init(dictionaryLiteral elements: (String, (any RequestValue)?)...) {
        items = []
        for (name, value) in elements { append(name, value) }
    }

    /// Adds an item, unless its value is `nil`. An array adds an item for each of its values.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public mutating func append(_ name: String, _ value: (any RequestValue)?) {
        for text in value.texts { items.append(URLQueryItem(name: name, value: text)) }
    }

    /// Adds an item with several values.
    mutating func append(_ name: String, separatedByCommas values: [String]) {
        let item = URLQueryItem(name: name, value: values.joined(separator: ","))
        items.append(item)
        lists[item] = values.map { $0.percentEncoded() }.joined(separator: ",")
    }

    /// The items as they are sent: `artist=Elis%20%26%20Tom&page=2`.
    public var percentEncoded: String {
        let pairs = items.map { item in
            let value = lists[item] ?? item.value?.percentEncoded()
            return item.name.percentEncoded() + (value.map { "=\($0)" } ?? "")
        }
        return pairs.joined(separator: "&")
    }
}

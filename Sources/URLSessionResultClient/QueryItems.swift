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
    ///
    /// An item does not know whether the commas of its value separate values, as those of ``ArrayStyle/commaSeparated`` do: only the query
    /// that made it does. To add the items of another query, use ``append(contentsOf:)``.
    public var items: [URLQueryItem]

    /// For equal items, in order: the text that an item is sent as, with commas between its percent-encoded values; or nil for an
    /// item whose commas are part of its value.
    private var lists: [URLQueryItem: [String?]] = [:]

    /// Creates the items of a query or a form.
    public init(_ items: [URLQueryItem]) { self.items = items }

    /// Creates the items of a query or a form. Those whose value is `nil` are left out.
    public init(dictionaryLiteral elements: (String, (any RequestValue)?)...) {
        items = []
        for (name, value) in elements { append(name, value) }
    }

    /// Creates the items of a query or a form from a dictionary that is there at run time, in the order of their names.
    ///
    /// A dictionary has no order of its own, and a literal of items keeps that of the code. With the names in order, the same values make
    /// the same URL, which caches, signatures and tests need.
    ///
    /// ```swift
    /// let filter = ["year": "1971", "artist": "Joni Mitchell"]
    /// // artist=Joni%20Mitchell&year=1971
    /// let query = QueryItems(sortedByName: filter)
    /// ```
    ///
    /// - Parameter values: The values by their names. An array adds an item for each of its values.
    public init(sortedByName values: [String: some RequestValue]) {
        items = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { append(name, value) }
    }

    /// Adds an item, unless its value is `nil`. An array adds an item for each of its values.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public mutating func append(_ name: String, _ value: (any RequestValue)?) {
        for text in value.texts { items.append(URLQueryItem(name: name, value: text)) }
    }

    /// Adds the items of another query. Arrays that are ``ArrayStyle/commaSeparated`` stay so.
    ///
    /// - Parameter other: The query.
    public mutating func append(contentsOf other: QueryItems) {
        for (item, list) in other.itemsWithLists {
            if let list { append(item, list: list) } else { items.append(item) }
        }
    }

    /// Adds an item with several values.
    mutating func append(_ name: String, separatedByCommas values: [String]) {
        let item = URLQueryItem(name: name, value: values.joined(separator: ","))
        append(item, list: values.map { $0.percentEncoded() }.joined(separator: ","))
    }

    private mutating func append(_ item: URLQueryItem, list: String) {
        // A single value has no commas between values.
        if list != item.value?.percentEncoded() {
            let count = items.count { $0 == item }
            let known = (lists[item] ?? []).prefix(count)
            lists[item] = known + Array(repeating: nil, count: count - known.count) + [list]
        }
        items.append(item)
    }

    /// The items with their percent-encoded values, where these have commas between them.
    private var itemsWithLists: [(item: URLQueryItem, list: String?)] {
        guard !lists.isEmpty else { return items.map { ($0, nil) } }
        var rest = lists.mapValues { $0[...] }
        return items.map { item in (item, rest[item]?.popFirst() ?? nil) }
    }

    /// The items as they are sent: `artist=Elis%20%26%20Tom&page=2`.
    public var percentEncoded: String {
        let pairs = itemsWithLists.map { item, list in
            let value = list ?? item.value?.percentEncoded()
            return item.name.percentEncoded() + (value.map { "=\($0)" } ?? "")
        }
        return pairs.joined(separator: "&")
    }
}

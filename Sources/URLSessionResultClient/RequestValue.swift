import Foundation

/// A value that a path, a query or a form may have.
///
/// Strings, numbers, `Bool`, `UUID` and `Decimal` are such values. A type with a raw value only needs to say so:
///
/// ```swift
/// enum Order: String, RequestValue { case name, year }
/// ```
///
/// An array of values is one in a query or a form, where its name is repeated: `["tag": ["a", "b"]]` is sent as `tag=a&tag=b`.
public protocol RequestValue: Sendable {
    /// The text to send, before it is percent-encoded.
    var requestValue: String { get }
}

extension RequestValue where Self: LosslessStringConvertible {
    /// The description.
    public var requestValue: String { description }
}

extension RequestValue where Self: RawRepresentable, RawValue: RequestValue {
    /// The text of the raw value.
    public var requestValue: String { rawValue.requestValue }
}

extension String: RequestValue {}
extension Substring: RequestValue {}
extension Character: RequestValue {}
extension Bool: RequestValue {}
extension Int: RequestValue {}
extension Int8: RequestValue {}
extension Int16: RequestValue {}
extension Int32: RequestValue {}
extension Int64: RequestValue {}
extension UInt: RequestValue {}
extension UInt8: RequestValue {}
extension UInt16: RequestValue {}
extension UInt32: RequestValue {}
extension UInt64: RequestValue {}
extension Double: RequestValue {}
extension Float: RequestValue {}

extension UUID: RequestValue {
    /// The text in capital letters, as `uuidString`.
    public var requestValue: String { uuidString }
}

extension Decimal: RequestValue {
    /// The number with a decimal point, in every locale.
    public var requestValue: String { description }
}

/// Several values, whose name is repeated.
protocol RequestValueList {
    var values: [any RequestValue] { get }
}

extension Array: RequestValue where Element: RequestValue {
    /// The texts of the values with commas between them. A query and a form repeat the name instead.
    public var requestValue: String { map(\.requestValue).joined(separator: ",") }
}

extension Array: RequestValueList where Element: RequestValue {
    var values: [any RequestValue] { self }
}

extension Optional where Wrapped == any RequestValue {
    /// The texts to send under one name: none for `nil`, and one for each value of an array.
    var texts: [String] {
        guard let self else { return [] }
        guard let list = self as? any RequestValueList else { return [self.requestValue] }
        return list.values.flatMap { ($0 as (any RequestValue)?).texts }
    }
}

// Source: https://developer.apple.com/documentation/foundation/jsondecoder
@available(macOS 10.10, iOS 8, *)
open class JSONDecoder {
    public init()
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
    open var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { get set }
    open var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy { get set }
    open var userInfo: [CodingUserInfoKey: Any] { get set }
    // Source: https://developer.apple.com/documentation/foundation/jsondecoder/allowsjson5
    @available(macOS 12, iOS 15, *)
    open var allowsJSON5: Bool { get set }
    // Source: https://developer.apple.com/documentation/foundation/jsondecoder/assumestopleveldictionary
    @available(macOS 12, iOS 15, *)
    open var assumesTopLevelDictionary: Bool { get set }

    public enum KeyDecodingStrategy: Sendable {
        case useDefaultKeys
        case convertFromSnakeCase
        @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    public enum DateDecodingStrategy: Sendable {
        case deferredToDate
        case secondsSince1970
        case millisecondsSince1970
        case iso8601
        @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }
}

// Source: https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/JSON/JSONDecoder.swift
@available(macOS 13, iOS 16, *)
extension JSONDecoder: @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/jsonencoder
@available(macOS 10.10, iOS 8, *)
open class JSONEncoder {
    public init()
    open func encode<T: Encodable>(_ value: T) throws -> Data
    open var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy { get set }

    public enum KeyEncodingStrategy: Sendable {
        case useDefaultKeys
        case convertToSnakeCase
        @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}

// Source: https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/JSON/JSONEncoder.swift
@available(macOS 13, iOS 16, *)
extension JSONEncoder: @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/propertylistdecoder
@available(macOS 10.10, iOS 8, *)
open class PropertyListDecoder {
    public init()
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

// Source: https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/PropertyList/PlistDecoder.swift
@available(macOS 13, iOS 16, *)
extension PropertyListDecoder: @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/propertylistencoder
@available(macOS 10.10, iOS 8, *)
open class PropertyListEncoder {
    public init()
    open var outputFormat: PropertyListSerialization.PropertyListFormat { get set }
    open func encode<Value: Encodable>(_ value: Value) throws -> Data
}

// Source: https://developer.apple.com/documentation/foundation/propertylistserialization
open class PropertyListSerialization: NSObject {
    public enum PropertyListFormat: Sendable {
        case openStep
        case xml
        case binary
    }
}

// Source: https://developer.apple.com/documentation/foundation/decimal
@available(macOS 10.10, iOS 8, *)
public struct Decimal: Hashable, Codable, Sendable {
    public init(_ value: Int)
    public init?(string: String, locale: Locale? = nil)
    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws
}

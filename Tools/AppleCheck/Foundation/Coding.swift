// Source: https://developer.apple.com/documentation/foundation/jsondecoder
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
open class JSONDecoder {
    public init()
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
    open var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { get set }
    // Source: https://developer.apple.com/documentation/foundation/jsondecoder/allowsjson5
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    open var allowsJSON5: Bool { get set }
    // Source: https://developer.apple.com/documentation/foundation/jsondecoder/assumestopleveldictionary
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    open var assumesTopLevelDictionary: Bool { get set }

    public enum KeyDecodingStrategy: Sendable {
        case useDefaultKeys
        case convertFromSnakeCase
        @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}

// Source: https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/JSON/JSONDecoder.swift
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension JSONDecoder: @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/jsonencoder
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
open class JSONEncoder {
    public init()
    open func encode<T: Encodable>(_ value: T) throws -> Data
}

// Source: https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/JSON/JSONEncoder.swift
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension JSONEncoder: @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/propertylistdecoder
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
open class PropertyListDecoder {
    public init()
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

// Source: https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/PropertyList/PlistDecoder.swift
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension PropertyListDecoder: @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/propertylistserialization
open class PropertyListSerialization: NSObject {
    public enum PropertyListFormat: UInt, Sendable {
        case openStep = 1
        case xml = 100
        case binary = 200
        public typealias RawValue = UInt
        public init?(rawValue: UInt)
        public var rawValue: UInt { get }
    }

    public struct MutabilityOptions: OptionSet, Sendable {
        public typealias RawValue = UInt
        public typealias Element = MutabilityOptions
        public typealias ArrayLiteralElement = MutabilityOptions
        public init(rawValue: UInt)
        public let rawValue: UInt
    }

    public typealias ReadOptions = MutabilityOptions

    open class func propertyList(
        from data: Data, options: ReadOptions = [], format: UnsafeMutablePointer<PropertyListFormat>?
    ) throws -> Any
}

// What Foundation adds to strings.
// Source: https://developer.apple.com/documentation/swift/stringprotocol
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension StringProtocol {
    public func components(separatedBy separator: CharacterSet) -> [String]
    public func components<T: StringProtocol>(separatedBy separator: T) -> [String]
    public func contains<T: StringProtocol>(_ other: T) -> Bool
    public func range<T: StringProtocol>(
        of string: T, options: String.CompareOptions = [], range: Range<Index>? = nil, locale: Locale? = nil
    ) -> Range<Index>?
    public func trimmingCharacters(in set: CharacterSet) -> String
}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension String {
    // Source: https://developer.apple.com/documentation/swift/string/init(data:encoding:)
    public init?(data: Data, encoding: String.Encoding)

    // Source: https://developer.apple.com/documentation/foundation/nsstring/compareoptions
    public typealias CompareOptions = NSString.CompareOptions

    // Source: https://developer.apple.com/documentation/swift/string/encoding
    public struct Encoding: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt)
        public static let ascii: String.Encoding
        public static let utf8: String.Encoding
        public static let isoLatin1: String.Encoding
        public static let isoLatin2: String.Encoding
        public static let shiftJIS: String.Encoding
        public static let iso2022JP: String.Encoding
        public static let macOSRoman: String.Encoding
        public static let windowsCP1250: String.Encoding
        public static let windowsCP1251: String.Encoding
        public static let windowsCP1252: String.Encoding
        public static let windowsCP1253: String.Encoding
        public static let windowsCP1254: String.Encoding
        public static let utf16: String.Encoding
        public static let utf16BigEndian: String.Encoding
        public static let utf16LittleEndian: String.Encoding
        public static let utf32: String.Encoding
        public static let utf32BigEndian: String.Encoding
        public static let utf32LittleEndian: String.Encoding
    }
}

// Source: https://developer.apple.com/documentation/foundation/nsstring
open class NSString: NSObject {
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
        public static var regularExpression: NSString.CompareOptions { get }
    }
}

// Source: https://developer.apple.com/documentation/foundation/locale
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct Locale: Hashable, Sendable {}

// Source: https://developer.apple.com/documentation/foundation/characterset
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct CharacterSet: Hashable, Sendable {
    public init(charactersIn string: String)
    public static var whitespaces: CharacterSet { get }
}

// Source: https://developer.apple.com/documentation/foundation/uuid
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct UUID: Hashable, Sendable {
    public init()
    public var uuidString: String { get }
}

public typealias TimeInterval = Double

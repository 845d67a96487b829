// What Foundation adds to strings.
// Source: https://developer.apple.com/documentation/swift/stringprotocol
@available(macOS 10.10, iOS 8, *)
extension StringProtocol {
    public func components<T: StringProtocol>(separatedBy separator: T) -> [String]
    public func contains<T: StringProtocol>(_ other: T) -> Bool
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data?
    public func range<T: StringProtocol>(
        of string: T, options: String.CompareOptions = [], range: Range<Index>? = nil, locale: Locale? = nil
    ) -> Range<Index>?
    public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
        of target: Target, with replacement: Replacement, options: String.CompareOptions = [],
        range: Range<Index>? = nil
    ) -> String
    public func trimmingCharacters(in set: CharacterSet) -> String
    public func caseInsensitiveCompare<T: StringProtocol>(_ other: T) -> ComparisonResult
}

@available(macOS 10.10, iOS 8, *)
extension String {
    // Source: https://developer.apple.com/documentation/swift/string/init(data:encoding:)
    public init?(data: Data, encoding: String.Encoding)
    // Source: https://developer.apple.com/documentation/swift/string/init(bytes:encoding:)
    public init?<S: Sequence>(bytes: S, encoding: String.Encoding) where S.Element == UInt8
    // Source: https://developer.apple.com/documentation/swift/string/init(contentsoffile:encoding:)
    public init(contentsOfFile path: String, encoding: String.Encoding) throws
    // Source: https://developer.apple.com/documentation/swift/string/init(contentsof:encoding:)
    public init(contentsOf url: URL, encoding: String.Encoding) throws
    // Source: https://developer.apple.com/documentation/swift/string/init(format:_:)
    public init(format: String, _ arguments: any CVarArg...)

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
        public static let japaneseEUC: String.Encoding
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
        public static var caseInsensitive: NSString.CompareOptions { get }
        public static var literal: NSString.CompareOptions { get }
        public static var backwards: NSString.CompareOptions { get }
        public static var anchored: NSString.CompareOptions { get }
        public static var regularExpression: NSString.CompareOptions { get }
    }
}

// Source: https://developer.apple.com/documentation/foundation/comparisonresult
@available(macOS 10.10, iOS 8, *)
public enum ComparisonResult: Sendable {
    case orderedAscending
    case orderedSame
    case orderedDescending
}

// Source: https://developer.apple.com/documentation/foundation/locale
@available(macOS 10.10, iOS 8, *)
public struct Locale: Hashable, Sendable {
    public init(identifier: String)
}

// Source: https://developer.apple.com/documentation/foundation/characterset
@available(macOS 10.10, iOS 8, *)
public struct CharacterSet: Hashable, Sendable {
    public init(charactersIn string: String)
    public static var whitespaces: CharacterSet { get }
    public static var whitespacesAndNewlines: CharacterSet { get }
}

// Source: https://developer.apple.com/documentation/foundation/uuid
@available(macOS 10.10, iOS 8, *)
public struct UUID: Hashable, Sendable {
    public init()
    public var uuidString: String { get }
}

// Source: https://developer.apple.com/documentation/foundation/date
@available(macOS 10.10, iOS 8, *)
public struct Date: Hashable, Comparable, Codable, Sendable {
    public init()
    public init(timeIntervalSince1970: TimeInterval)
    public var timeIntervalSince1970: TimeInterval { get }
    public var timeIntervalSinceNow: TimeInterval { get }
    public func timeIntervalSince(_ date: Date) -> TimeInterval
    public static func < (left: Date, right: Date) -> Bool
    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws
}

public typealias TimeInterval = Double

// Source: https://developer.apple.com/documentation/foundation/dateformatter
open class DateFormatter: NSObject, @unchecked Sendable {
    public override init()
    open var dateFormat: String! { get set }
    open var locale: Locale! { get set }
    open var timeZone: TimeZone! { get set }
    open func date(from string: String) -> Date?
    open func string(from date: Date) -> String
}

// Source: https://developer.apple.com/documentation/foundation/timezone
@available(macOS 10.10, iOS 8, *)
public struct TimeZone: Hashable, Sendable {
    public init?(identifier: String)
}

// Source: https://developer.apple.com/documentation/foundation/nsnumber
open class NSNumber: NSObject, @unchecked Sendable {
    open var intValue: Int32 { get }
    open var int64Value: Int64 { get }
    open var uint64Value: UInt64 { get }
}

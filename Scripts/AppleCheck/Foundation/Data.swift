// Source: https://developer.apple.com/documentation/foundation/data
@available(macOS 10.10, iOS 8, *)
public struct Data: Hashable, Codable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
    DataProtocol
{
    public typealias Index = Int
    public typealias Element = UInt8

    public init()
    public init(count: Int)
    public init(repeating repeatedValue: UInt8, count: Int)
    public init(bytes: UnsafeRawPointer, count: Int)
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8
    // Source: https://developer.apple.com/documentation/foundation/data/init(base64encoded:options:)
    public init?(base64Encoded base64Data: Data, options: Data.Base64DecodingOptions = [])
    public init?(base64Encoded base64String: String, options: Data.Base64DecodingOptions = [])
    // Source: https://developer.apple.com/documentation/foundation/data/init(contentsof:options:)
    public init(contentsOf url: URL, options: Data.ReadingOptions = []) throws
    // Source: https://developer.apple.com/documentation/foundation/data/write(to:options:)
    public func write(to url: URL, options: Data.WritingOptions = []) throws

    public var startIndex: Int { get }
    public var endIndex: Int { get }
    public subscript(index: Int) -> UInt8 { get set }
    public subscript(bounds: Range<Int>) -> Data { get set }
    public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
    where C.Element == UInt8
    public mutating func append(_ other: Data)
    public mutating func reserveCapacity(_ minimumCapacity: Int)

    // Source: https://developer.apple.com/documentation/foundation/data/range(of:options:in:)
    public func range(of dataToFind: Data, options: Data.SearchOptions = [], in range: Range<Int>? = nil) -> Range<Int>?
    public func base64EncodedData(options: Data.Base64EncodingOptions = []) -> Data
    public func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String

    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R

    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws

    public typealias ReadingOptions = NSData.ReadingOptions
    public typealias WritingOptions = NSData.WritingOptions
    public typealias SearchOptions = NSData.SearchOptions
    public typealias Base64EncodingOptions = NSData.Base64EncodingOptions
    public typealias Base64DecodingOptions = NSData.Base64DecodingOptions
}

// Source: https://developer.apple.com/documentation/foundation/contiguousbytes
@available(macOS 10.10, iOS 8, *)
public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

// Source: https://developer.apple.com/documentation/foundation/dataprotocol
@available(macOS 10.10, iOS 8, *)
public protocol DataProtocol: RandomAccessCollection, ContiguousBytes where Element == UInt8 {}

// Source: https://developer.apple.com/documentation/foundation/nsdata
open class NSData: NSObject {
    // Source: https://developer.apple.com/documentation/foundation/nsdata/readingoptions
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
        public static var mappedIfSafe: NSData.ReadingOptions { get }
        public static var uncached: NSData.ReadingOptions { get }
        public static var alwaysMapped: NSData.ReadingOptions { get }
    }

    // Source: https://developer.apple.com/documentation/foundation/nsdata/writingoptions
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
        public static var atomic: NSData.WritingOptions { get }
        public static var withoutOverwriting: NSData.WritingOptions { get }
    }

    // Source: https://developer.apple.com/documentation/foundation/nsdata/searchoptions
    public struct SearchOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
    }

    // Source: https://developer.apple.com/documentation/foundation/nsdata/base64encodingoptions
    public struct Base64EncodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
    }

    // Source: https://developer.apple.com/documentation/foundation/nsdata/base64decodingoptions
    public struct Base64DecodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
    }
}

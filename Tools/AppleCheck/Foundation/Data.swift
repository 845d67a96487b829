// Source: https://developer.apple.com/documentation/foundation/data
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct Data: Hashable, Codable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    public typealias Index = Int
    public typealias Element = UInt8

    public init()
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8
    public init<SourceType>(buffer: UnsafeBufferPointer<SourceType>)
    // Source: https://developer.apple.com/documentation/foundation/data/init(bytesnocopy:count:deallocator:)
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Data.Deallocator)
    public enum Deallocator {
        case custom((UnsafeMutableRawPointer, Int) -> Void)
    }
    // Source: https://developer.apple.com/documentation/foundation/data/init(contentsof:options:)
    public init(contentsOf url: URL, options: Data.ReadingOptions = []) throws

    public var startIndex: Int { get }
    public var endIndex: Int { get }
    public subscript(index: Int) -> UInt8 { get set }
    public subscript(bounds: Range<Int>) -> Data { get set }
    public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
    where C.Element == UInt8
    public mutating func append(_ other: Data)

    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R

    // Source: https://developer.apple.com/documentation/foundation/data/base64encodedstring(options:)
    public func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String
    public typealias Base64EncodingOptions = NSData.Base64EncodingOptions

    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws

    public typealias ReadingOptions = NSData.ReadingOptions
}

// Source: https://developer.apple.com/documentation/foundation/nsdata
open class NSData: NSObject {
    // Source: https://developer.apple.com/documentation/foundation/nsdata/readingoptions
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
        public static var mappedIfSafe: NSData.ReadingOptions { get }
    }

    // Source: https://developer.apple.com/documentation/foundation/nsdata/base64encodingoptions
    public struct Base64EncodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
    }
}

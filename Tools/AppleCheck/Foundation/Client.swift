// What only URLSessionResultClient uses.

// Source: https://developer.apple.com/documentation/foundation/urlrequest
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension URLRequest {
    public var cachePolicy: URLRequest.CachePolicy { get set }
    public var timeoutInterval: TimeInterval { get set }
}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension URL {
    // Source: https://developer.apple.com/documentation/foundation/url/relativestring
    public var relativeString: String { get }
    // Source: https://developer.apple.com/documentation/foundation/url/baseurl
    public var baseURL: URL? { get }
    // Source: https://developer.apple.com/documentation/foundation/url/standardizedfileurl
    public var standardizedFileURL: URL { get }
    // Source: https://developer.apple.com/documentation/foundation/url/query
    public var query: String? { get }
}

// Source: https://developer.apple.com/documentation/foundation/urlcomponents
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct URLComponents: Hashable, Sendable {
    public init?(url: URL, resolvingAgainstBaseURL resolve: Bool)
    // Source: https://developer.apple.com/documentation/foundation/urlcomponents/init(string:)
    public init?(string: String)
    public var scheme: String? { get set }
    public var user: String? { get set }
    public var password: String? { get set }
    public var query: String? { get set }
    public var fragment: String? { get set }
    public var percentEncodedFragment: String? { get set }
    public var url: URL? { get }
    public var string: String? { get }
}

// Source: https://developer.apple.com/documentation/foundation/urlqueryitem
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct URLQueryItem: Hashable, Sendable {
    public init(name: String, value: String?)
    public var name: String { get set }
    public var value: String? { get set }
}

extension FileHandle {
    // Source: https://developer.apple.com/documentation/foundation/filehandle/init(forwritingto:)
    public convenience init(forWritingTo url: URL) throws
}

// Source: https://developer.apple.com/documentation/foundation/filehandle/write(contentsof:)
@available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
extension FileHandle {
    public func write<T: DataProtocol>(contentsOf data: T) throws
    public func truncate(atOffset offset: UInt64) throws
}

// Source: https://developer.apple.com/documentation/foundation/dataprotocol
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension Data: DataProtocol {}

extension FileManager {
    // Source: https://developer.apple.com/documentation/foundation/filemanager/temporarydirectory
    @available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
    public var temporaryDirectory: URL { get }
    // Source: https://developer.apple.com/documentation/foundation/filemanager/attributesofitem(atpath:)
    @available(macOS 10.5, iOS 2, tvOS 9, watchOS 2, *)
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any]
    // Source: https://developer.apple.com/documentation/foundation/filemanager/setattributes(_:ofitematpath:)
    @available(macOS 10.5, iOS 2, tvOS 9, watchOS 2, *)
    public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws
    // Source: https://developer.apple.com/documentation/foundation/filemanager/createfile(atpath:contents:attributes:)
    @discardableResult public func createFile(
        atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil
    ) -> Bool
}

extension FileAttributeKey {
    // Source: https://developer.apple.com/documentation/foundation/fileattributekey/size
    public static let size: FileAttributeKey
    // Source: https://developer.apple.com/documentation/foundation/fileattributekey/posixpermissions
    public static let posixPermissions: FileAttributeKey
}

// Source: https://developer.apple.com/documentation/foundation/nsnumber
open class NSNumber: NSObject, @unchecked Sendable {
    open var int64Value: Int64 { get }
}

// Source: https://developer.apple.com/documentation/foundation/date
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct Date: Hashable, Comparable, Sendable {
    public init()
    public func timeIntervalSince(_ date: Date) -> TimeInterval
    public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date
    public static func < (lhs: Date, rhs: Date) -> Bool
}

// Source: https://developer.apple.com/documentation/foundation/decimal
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct Decimal: Hashable, Sendable, CustomStringConvertible {
    public var description: String { get }
}

// Source: https://developer.apple.com/documentation/foundation/dateformatter
open class DateFormatter: NSObject, @unchecked Sendable {
    public override init()
    open func date(from string: String) -> Date?
    open var dateFormat: String! { get set }
    open var locale: Locale! { get set }
    open var timeZone: TimeZone! { get set }
}

extension Locale {
    // Source: https://developer.apple.com/documentation/foundation/locale/init(identifier:)
    public init(identifier: String)
}

// Source: https://developer.apple.com/documentation/foundation/timezone
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct TimeZone: Hashable, Sendable {
    public init?(identifier: String)
}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension StringProtocol {
    // Source: https://developer.apple.com/documentation/swift/stringprotocol/addingpercentencoding(withallowedcharacters:)
    public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String?
    // Source: https://developer.apple.com/documentation/swift/stringprotocol/removingpercentencoding
    public var removingPercentEncoding: String? { get }
    // Source: https://developer.apple.com/documentation/swift/stringprotocol/replacingoccurrences(of:with:options:range:)
    public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
        of target: Target, with replacement: Replacement, options: String.CompareOptions = [],
        range searchRange: Range<Index>? = nil
    ) -> String
}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension String {
    // Source: https://developer.apple.com/documentation/swift/string/init(format:_:)
    public init(format: String, _ arguments: any CVarArg...)
}

// In Apple's SDK this is Darwin's, which Foundation exports.
public func pow(_ base: Double, _ exponent: Double) -> Double

@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
extension URLSession {
    // Source: https://developer.apple.com/documentation/foundation/urlsession/shared
    public class var shared: URLSession { get }
    // Source: https://developer.apple.com/documentation/foundation/urlsession/configuration
    public var configuration: URLSessionConfiguration { get }
    // Source: https://developer.apple.com/documentation/foundation/urlsession/delegate
    public var delegate: (any URLSessionDelegate)? { get }
}

@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
extension URLSessionTask {
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontask/originalrequest
    public var originalRequest: URLRequest? { get }
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontask/currentrequest
    public var currentRequest: URLRequest? { get }
}

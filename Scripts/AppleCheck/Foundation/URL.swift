// Younger than the library's platforms, and therefore left out: `appending(path:)`, `path(percentEncoded:)`,
// `host(percentEncoded:)`, `init(filePath:)`, `temporaryDirectory` and their like, all from macOS 13 and iOS 16 on.
// Source: https://developer.apple.com/documentation/foundation/url
@available(macOS 10.10, iOS 8, *)
public struct URL: Hashable, Codable, Sendable {
    public init?(string: String)
    public init?(string: String, relativeTo url: URL?)
    public init(fileURLWithPath path: String)
    public init(fileURLWithPath path: String, isDirectory: Bool)
    public var absoluteString: String { get }
    public var absoluteURL: URL { get }
    public var baseURL: URL? { get }
    public var relativeString: String { get }
    public var scheme: String? { get }
    public var host: String? { get }
    public var port: Int? { get }
    public var user: String? { get }
    public var password: String? { get }
    public var path: String { get }
    public var query: String? { get }
    public var fragment: String? { get }
    public var isFileURL: Bool { get }
    public var lastPathComponent: String { get }
    public var pathComponents: [String] { get }
    public var pathExtension: String { get }
    public func appendingPathComponent(_ pathComponent: String) -> URL
    public func appendingPathComponent(_ pathComponent: String, isDirectory: Bool) -> URL
    public func appendingPathExtension(_ pathExtension: String) -> URL
    public func deletingLastPathComponent() -> URL
    public mutating func appendPathComponent(_ pathComponent: String)
    public mutating func deleteLastPathComponent()
    public func resolvingSymlinksInPath() -> URL
    public var standardizedFileURL: URL { get }
    // Source: https://developer.apple.com/documentation/foundation/url/resourcevalues(forkeys:)
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues
    public mutating func removeAllCachedResourceValues()
    public func withUnsafeFileSystemRepresentation<R>(_ block: (UnsafePointer<Int8>?) throws -> R) rethrows -> R
    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws
}

// Source: https://developer.apple.com/documentation/foundation/urlresourcekey
public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String)
    public static let fileSizeKey: URLResourceKey
    public static let isDirectoryKey: URLResourceKey
    public static let isRegularFileKey: URLResourceKey
}

// Source: https://developer.apple.com/documentation/foundation/urlresourcevalues
@available(macOS 10.10, iOS 8, *)
public struct URLResourceValues {
    public var fileSize: Int? { get }
    public var isDirectory: Bool? { get }
    public var isRegularFile: Bool? { get }
}

// Source: https://developer.apple.com/documentation/foundation/urlcomponents
@available(macOS 10.10, iOS 8, *)
public struct URLComponents: Hashable, Sendable {
    public init()
    public init?(string: String)
    public init?(url: URL, resolvingAgainstBaseURL resolve: Bool)
    public var url: URL? { get }
    public var string: String? { get }
    public var scheme: String? { get set }
    public var user: String? { get set }
    public var password: String? { get set }
    public var host: String? { get set }
    public var port: Int? { get set }
    public var path: String { get set }
    public var query: String? { get set }
    public var percentEncodedQuery: String? { get set }
    public var fragment: String? { get set }
    public var queryItems: [URLQueryItem]? { get set }
}

// Source: https://developer.apple.com/documentation/foundation/urlqueryitem
@available(macOS 10.10, iOS 8, *)
public struct URLQueryItem: Hashable, Sendable {
    public init(name: String, value: String?)
    public var name: String
    public var value: String?
}

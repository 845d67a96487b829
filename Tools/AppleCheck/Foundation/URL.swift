// Younger than the library's platforms, and therefore left out: `appending(path:)`, `path(percentEncoded:)`,
// `host(percentEncoded:)`, `init(filePath:)`, `temporaryDirectory` and their like, all from macOS 13 and iOS 16 on.
// Source: https://developer.apple.com/documentation/foundation/url
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct URL: Hashable, Codable, Sendable {
    public init?(string: String)
    public init?(string: String, relativeTo url: URL?)
    public init(fileURLWithPath path: String)
    public var absoluteString: String { get }
    public var absoluteURL: URL { get }
    public var scheme: String? { get }
    public var host: String? { get }
    public var port: Int? { get }
    public var path: String { get }
    public var isFileURL: Bool { get }
    public var lastPathComponent: String { get }
    public var pathExtension: String { get }
    public func appendingPathComponent(_ pathComponent: String) -> URL
    public func deletingLastPathComponent() -> URL
    public mutating func deleteLastPathComponent()
    public func resolvingSymlinksInPath() -> URL
    // Source: https://developer.apple.com/documentation/foundation/url/resourcevalues(forkeys:)
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues
    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws
}

// Source: https://developer.apple.com/documentation/foundation/urlresourcekey
public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String)
    public static let fileSizeKey: URLResourceKey
    public static let isRegularFileKey: URLResourceKey
}

// Source: https://developer.apple.com/documentation/foundation/urlresourcevalues
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct URLResourceValues {
    public var fileSize: Int? { get }
    public var isRegularFile: Bool? { get }
}

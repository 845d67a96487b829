// Source: https://developer.apple.com/documentation/foundation/urlrequest
@available(macOS 10.10, iOS 8, *)
public struct URLRequest: Hashable, Sendable {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(
        url: URL, cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60)
    public var url: URL? { get set }
    public var httpMethod: String? { get set }
    public var httpBody: Data? { get set }
    public var httpBodyStream: InputStream? { get set }
    public var allHTTPHeaderFields: [String: String]? { get set }
    public var timeoutInterval: TimeInterval { get set }
    public var cachePolicy: URLRequest.CachePolicy { get set }
    public var httpShouldHandleCookies: Bool { get set }
    public func value(forHTTPHeaderField field: String) -> String?
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String)
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String)
    public static func == (left: URLRequest, right: URLRequest) -> Bool
    public func hash(into hasher: inout Hasher)
}

// Source: https://developer.apple.com/documentation/foundation/nsurlrequest
open class NSURLRequest: NSObject {
    public enum CachePolicy: Sendable {
        case useProtocolCachePolicy
        case reloadIgnoringLocalCacheData
        case reloadIgnoringLocalAndRemoteCacheData
        case returnCacheDataElseLoad
        case returnCacheDataDontLoad
        case reloadRevalidatingCacheData
    }
}

// Source: https://developer.apple.com/documentation/foundation/inputstream
open class InputStream: Stream {
    public init(data: Data)
    public init?(url: URL)
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int
    open var hasBytesAvailable: Bool { get }
}

// Source: https://developer.apple.com/documentation/foundation/stream
open class Stream: NSObject {
    open func open()
    open func close()
}

// Source: https://developer.apple.com/documentation/foundation/urlresponse
open class URLResponse: NSObject, @unchecked Sendable {
    public init(url: URL, mimeType MIMEType: String?, expectedContentLength length: Int, textEncodingName name: String?)
    open var url: URL? { get }
    open var mimeType: String? { get }
    open var expectedContentLength: Int64 { get }
    open var textEncodingName: String? { get }
    open var suggestedFilename: String? { get }
}

// Source: https://developer.apple.com/documentation/foundation/httpurlresponse
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    // Source: https://developer.apple.com/documentation/foundation/httpurlresponse/init(url:statuscode:httpversion:headerfields:)
    public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?)
    open var statusCode: Int { get }
    open var allHeaderFields: [AnyHashable: Any] { get }
    open class func localizedString(forStatusCode statusCode: Int) -> String
    // Source: https://developer.apple.com/documentation/foundation/httpurlresponse/value(forhttpheaderfield:)
    @available(macOS 10.15, iOS 13, *)
    open func value(forHTTPHeaderField field: String) -> String?
}

// Source: https://developer.apple.com/documentation/foundation/httpcookie
open class HTTPCookie: NSObject, @unchecked Sendable {
    public init?(properties: [HTTPCookiePropertyKey: Any])
    open var name: String { get }
    open var value: String { get }
    open var domain: String { get }
    open var path: String { get }
    open var isSecure: Bool { get }
    open class func cookies(withResponseHeaderFields headerFields: [String: String], for URL: URL) -> [HTTPCookie]
    open class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String]
}

// Source: https://developer.apple.com/documentation/foundation/httpcookiepropertykey
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String)
    public static let name: HTTPCookiePropertyKey
    public static let value: HTTPCookiePropertyKey
    public static let domain: HTTPCookiePropertyKey
    public static let path: HTTPCookiePropertyKey
    public static let secure: HTTPCookiePropertyKey
}

// Source: https://developer.apple.com/documentation/foundation/httpcookiestorage
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
    open class var shared: HTTPCookieStorage { get }
    open var cookies: [HTTPCookie]? { get }
    open func setCookie(_ cookie: HTTPCookie)
    open func deleteCookie(_ cookie: HTTPCookie)
    open func cookies(for URL: URL) -> [HTTPCookie]?
}

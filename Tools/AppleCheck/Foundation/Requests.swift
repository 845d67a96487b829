// Source: https://developer.apple.com/documentation/foundation/urlrequest
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct URLRequest: Hashable, Sendable {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(
        url: URL, cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60)
    public var url: URL? { get set }
    public var httpMethod: String? { get set }
    public var httpBody: Data? { get set }
    public var httpBodyStream: InputStream? { get set }
    public var allHTTPHeaderFields: [String: String]? { get set }
    public func value(forHTTPHeaderField field: String) -> String?
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String)
    public static func == (left: URLRequest, right: URLRequest) -> Bool
    public func hash(into hasher: inout Hasher)
}

// Source: https://developer.apple.com/documentation/foundation/nsurlrequest
open class NSURLRequest: NSObject {
    public enum CachePolicy: Sendable {
        case useProtocolCachePolicy
        case reloadIgnoringLocalCacheData
    }
}

// Source: https://developer.apple.com/documentation/foundation/inputstream
open class InputStream: Stream {
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int
}

// Source: https://developer.apple.com/documentation/foundation/stream
open class Stream: NSObject {
    open func open()
    open func close()
    open var streamError: (any Error)? { get }
}

// Source: https://developer.apple.com/documentation/foundation/urlresponse
open class URLResponse: NSObject, @unchecked Sendable {
    // Source: https://developer.apple.com/documentation/foundation/urlresponse/init(url:mimetype:expectedcontentlength:textencodingname:)
    public init(url URL: URL, mimeType MIMEType: String?, expectedContentLength length: Int, textEncodingName name: String?)
    open var url: URL? { get }
    // Source: https://developer.apple.com/documentation/foundation/urlresponse/expectedcontentlength
    open var expectedContentLength: Int64 { get }
    open var textEncodingName: String? { get }
}

// Source: https://developer.apple.com/documentation/foundation/httpurlresponse
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    // Source: https://developer.apple.com/documentation/foundation/httpurlresponse/init(url:statuscode:httpversion:headerfields:)
    public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?)
    open var statusCode: Int { get }
    // Source: https://developer.apple.com/documentation/foundation/httpurlresponse/value(forhttpheaderfield:)
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    open func value(forHTTPHeaderField field: String) -> String?
}

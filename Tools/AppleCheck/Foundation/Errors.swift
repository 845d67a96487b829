// Source: https://developer.apple.com/documentation/foundation/nserror
open class NSError: NSObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil)
    open var domain: String { get }
    open var code: Int { get }
    open var userInfo: [String: Any] { get }
}

public let NSLocalizedDescriptionKey: String
public let NSUnderlyingErrorKey: String
public let NSURLErrorDomain: String
public let NSURLErrorKey: String
public let NSFilePathErrorKey: String
public var NSURLErrorCancelled: Int { get }

// Source: https://developer.apple.com/documentation/foundation/localizederror
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension LocalizedError {
    public var errorDescription: String? { get }
}

// Source: https://developer.apple.com/documentation/foundation/customnserror
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension CustomNSError {
    public static var errorDomain: String { get }
    public var errorCode: Int { get }
    public var errorUserInfo: [String: Any] { get }
}

// Source: https://developer.apple.com/documentation/foundation/urlerror
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct URLError: CustomNSError, Hashable, Sendable {
    public init(_ code: URLError.Code, userInfo: [String: Any] = [:])
    public var errorCode: Int { get }
    public var code: URLError.Code { get }
    public var failingURL: URL? { get }
    public static func == (left: URLError, right: URLError) -> Bool
    public func hash(into hasher: inout Hasher)

    // Unlike on Linux, any number is a code: the initializer cannot fail.
    // Source: https://developer.apple.com/documentation/foundation/urlerror/code
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int)
        public static var cancelled: URLError.Code { get }
        public static var badURL: URLError.Code { get }
        public static var timedOut: URLError.Code { get }
        public static var userAuthenticationRequired: URLError.Code { get }
        public static var unsupportedURL: URLError.Code { get }
        public static var cannotFindHost: URLError.Code { get }
        public static var cannotConnectToHost: URLError.Code { get }
        public static var httpTooManyRedirects: URLError.Code { get }
        public static var networkConnectionLost: URLError.Code { get }
        public static var dnsLookupFailed: URLError.Code { get }
        public static var notConnectedToInternet: URLError.Code { get }
        public static var badServerResponse: URLError.Code { get }
        public static var cannotDecodeRawData: URLError.Code { get }
        public static var cannotDecodeContentData: URLError.Code { get }
        public static var zeroByteResource: URLError.Code { get }
        public static var redirectToNonExistentLocation: URLError.Code { get }
        public static var serverCertificateHasBadDate: URLError.Code { get }
        public static var serverCertificateNotYetValid: URLError.Code { get }
        public static var serverCertificateUntrusted: URLError.Code { get }
        public static var serverCertificateHasUnknownRoot: URLError.Code { get }
        public static var clientCertificateRejected: URLError.Code { get }
        public static var clientCertificateRequired: URLError.Code { get }
        public static var secureConnectionFailed: URLError.Code { get }
        public static var requestBodyStreamExhausted: URLError.Code { get }
        public static var cannotParseResponse: URLError.Code { get }
        public static var dataLengthExceedsMaximum: URLError.Code { get }
        public static var internationalRoamingOff: URLError.Code { get }
        public static var callIsActive: URLError.Code { get }
        public static var dataNotAllowed: URLError.Code { get }
    }
}

// Source: https://developer.apple.com/documentation/foundation/cocoaerror
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct CocoaError: CustomNSError, Hashable, Sendable {
    public init(_ code: CocoaError.Code, userInfo: [String: Any] = [:])
    public var code: CocoaError.Code { get }
    public var filePath: String? { get }
    public var underlying: (any Error)? { get }
    public var url: URL? { get }
    public static func == (left: CocoaError, right: CocoaError) -> Bool
    public func hash(into hasher: inout Hasher)

    // Source: https://developer.apple.com/documentation/foundation/cocoaerror/code
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int)
        // Source: https://developer.apple.com/documentation/foundation/cocoaerror/code/featureunsupported
        public static var featureUnsupported: CocoaError.Code { get }
        public static var fileNoSuchFile: CocoaError.Code { get }
        public static var fileReadNoSuchFile: CocoaError.Code { get }
        public static var fileReadUnknown: CocoaError.Code { get }
        public static var fileReadNoPermission: CocoaError.Code { get }
        public static var fileReadUnsupportedScheme: CocoaError.Code { get }
        public static var fileLocking: CocoaError.Code { get }
        public static var fileWriteUnknown: CocoaError.Code { get }
        public static var fileWriteNoPermission: CocoaError.Code { get }
        public static var fileWriteOutOfSpace: CocoaError.Code { get }
        public static var fileWriteVolumeReadOnly: CocoaError.Code { get }
        public static var fileWriteFileExists: CocoaError.Code { get }
        // Source: https://developer.apple.com/documentation/foundation/cocoaerror/code/filewriteinvalidfilename
        public static var fileWriteInvalidFileName: CocoaError.Code { get }
        public static var fileWriteUnsupportedScheme: CocoaError.Code { get }
        // For `catch CocoaError.fileWriteFileExists` and its like.
        public static func ~= (match: CocoaError.Code, error: any Error) -> Bool
    }

    public static var fileReadNoSuchFile: CocoaError.Code { get }
    public static var fileWriteFileExists: CocoaError.Code { get }
}

// Source: https://developer.apple.com/documentation/foundation/posixerror
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct POSIXError: CustomNSError, Hashable, Sendable {
    public init(_ code: POSIXErrorCode, userInfo: [String: Any] = [:])
    public var code: POSIXErrorCode { get }
    public static func == (left: POSIXError, right: POSIXError) -> Bool
    public func hash(into hasher: inout Hasher)
}

// In Apple's SDK this is Darwin's, which Foundation exports.
// Source: https://developer.apple.com/documentation/foundation/posixerrorcode
public enum POSIXErrorCode: Int32, Sendable {
    public typealias RawValue = Int32
    public init?(rawValue: Int32)
    public var rawValue: Int32 { get }
    case EPERM = 1
    case ENOENT = 2
    case EIO = 5
    case EACCES = 13
    case ENOTDIR = 20
    case EISDIR = 21
    case EINVAL = 22
    case EROFS = 30
    case EAGAIN = 35
    case ECONNABORTED = 53
}

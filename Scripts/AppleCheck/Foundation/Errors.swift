// Source: https://developer.apple.com/documentation/foundation/nserror
open class NSError: NSObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil)
    open var domain: String { get }
    open var code: Int { get }
    open var userInfo: [String: Any] { get }
    open var localizedDescription: String { get }
    @available(macOS 11.3, iOS 14.5, *)
    open var underlyingErrors: [any Error] { get }
}

public let NSLocalizedDescriptionKey: String
public let NSUnderlyingErrorKey: String
public let NSURLErrorDomain: String
public let NSURLErrorFailingURLErrorKey: String
public let NSURLErrorFailingURLStringErrorKey: String
public let NSURLErrorKey: String
public let NSFilePathErrorKey: String
public let NSCocoaErrorDomain: String
public let NSPOSIXErrorDomain: String
public var NSURLErrorCancelled: Int { get }

// Source: https://developer.apple.com/documentation/swift/error/localizeddescription
@available(macOS 10.10, iOS 8, *)
extension Error {
    public var localizedDescription: String { get }
}

// Source: https://developer.apple.com/documentation/foundation/localizederror
@available(macOS 10.10, iOS 8, *)
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

@available(macOS 10.10, iOS 8, *)
extension LocalizedError {
    public var errorDescription: String? { get }
    public var failureReason: String? { get }
    public var recoverySuggestion: String? { get }
    public var helpAnchor: String? { get }
}

// Source: https://developer.apple.com/documentation/foundation/customnserror
@available(macOS 10.10, iOS 8, *)
public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

@available(macOS 10.10, iOS 8, *)
extension CustomNSError {
    public static var errorDomain: String { get }
    public var errorCode: Int { get }
    public var errorUserInfo: [String: Any] { get }
}

// Source: https://developer.apple.com/documentation/foundation/urlerror
@available(macOS 10.10, iOS 8, *)
public struct URLError: CustomNSError, Hashable, Sendable {
    public init(_ code: URLError.Code, userInfo: [String: Any] = [:])
    public static var errorDomain: String { get }
    public var errorCode: Int { get }
    public var errorUserInfo: [String: Any] { get }
    public var code: URLError.Code { get }
    public var userInfo: [String: Any] { get }
    public var localizedDescription: String { get }
    public var failingURL: URL? { get }
    public var failureURLString: String? { get }
    // Source: https://developer.apple.com/documentation/foundation/urlerror/downloadtaskresumedata
    public var downloadTaskResumeData: Data? { get }
    // Source: https://developer.apple.com/documentation/foundation/urlerror/uploadtaskresumedata
    @available(macOS 14, iOS 17, *)
    public var uploadTaskResumeData: Data? { get }
    public static func == (left: URLError, right: URLError) -> Bool
    public func hash(into hasher: inout Hasher)

    // Unlike on Linux, any number is a code: the initializer cannot fail.
    // Source: https://developer.apple.com/documentation/foundation/urlerror/code
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int)
        public static var unknown: URLError.Code { get }
        public static var cancelled: URLError.Code { get }
        public static var badURL: URLError.Code { get }
        public static var timedOut: URLError.Code { get }
        public static var unsupportedURL: URLError.Code { get }
        public static var cannotFindHost: URLError.Code { get }
        public static var cannotConnectToHost: URLError.Code { get }
        public static var networkConnectionLost: URLError.Code { get }
        public static var dnsLookupFailed: URLError.Code { get }
        public static var httpTooManyRedirects: URLError.Code { get }
        public static var resourceUnavailable: URLError.Code { get }
        public static var notConnectedToInternet: URLError.Code { get }
        public static var redirectToNonExistentLocation: URLError.Code { get }
        public static var badServerResponse: URLError.Code { get }
        public static var userCancelledAuthentication: URLError.Code { get }
        public static var userAuthenticationRequired: URLError.Code { get }
        public static var zeroByteResource: URLError.Code { get }
        public static var cannotDecodeRawData: URLError.Code { get }
        public static var cannotDecodeContentData: URLError.Code { get }
        public static var cannotParseResponse: URLError.Code { get }
        public static var fileDoesNotExist: URLError.Code { get }
        public static var fileIsDirectory: URLError.Code { get }
        public static var noPermissionsToReadFile: URLError.Code { get }
        public static var dataLengthExceedsMaximum: URLError.Code { get }
        public static var secureConnectionFailed: URLError.Code { get }
        public static var serverCertificateHasBadDate: URLError.Code { get }
        public static var serverCertificateUntrusted: URLError.Code { get }
        public static var serverCertificateHasUnknownRoot: URLError.Code { get }
        public static var serverCertificateNotYetValid: URLError.Code { get }
        public static var clientCertificateRejected: URLError.Code { get }
        public static var clientCertificateRequired: URLError.Code { get }
        public static var cannotCreateFile: URLError.Code { get }
        public static var cannotOpenFile: URLError.Code { get }
        public static var cannotCloseFile: URLError.Code { get }
        public static var cannotWriteToFile: URLError.Code { get }
        public static var cannotRemoveFile: URLError.Code { get }
        public static var cannotMoveFile: URLError.Code { get }
        public static var internationalRoamingOff: URLError.Code { get }
        public static var callIsActive: URLError.Code { get }
        public static var dataNotAllowed: URLError.Code { get }
        public static var requestBodyStreamExhausted: URLError.Code { get }
    }

    public static var cancelled: URLError.Code { get }
    public static var timedOut: URLError.Code { get }
}

// Source: https://developer.apple.com/documentation/foundation/cocoaerror
@available(macOS 10.10, iOS 8, *)
public struct CocoaError: CustomNSError, Hashable, Sendable {
    public init(_ code: CocoaError.Code, userInfo: [String: Any] = [:])
    public static func error(_ code: CocoaError.Code, userInfo: [AnyHashable: Any]? = nil, url: URL? = nil) -> any Error
    public static var errorDomain: String { get }
    public var errorCode: Int { get }
    public var errorUserInfo: [String: Any] { get }
    public var code: CocoaError.Code { get }
    public var userInfo: [String: Any] { get }
    public var filePath: String? { get }
    public var underlying: (any Error)? { get }
    public var url: URL? { get }
    public static func == (left: CocoaError, right: CocoaError) -> Bool
    public func hash(into hasher: inout Hasher)

    // Source: https://developer.apple.com/documentation/foundation/cocoaerror/code
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int)
        public static var fileNoSuchFile: CocoaError.Code { get }
        public static var fileReadUnknown: CocoaError.Code { get }
        public static var fileReadNoPermission: CocoaError.Code { get }
        public static var fileReadCorruptFile: CocoaError.Code { get }
        public static var fileReadNoSuchFile: CocoaError.Code { get }
        public static var fileReadInapplicableStringEncoding: CocoaError.Code { get }
        public static var fileReadUnsupportedScheme: CocoaError.Code { get }
        public static var fileReadTooLarge: CocoaError.Code { get }
        public static var fileReadUnknownStringEncoding: CocoaError.Code { get }
        public static var fileWriteUnknown: CocoaError.Code { get }
        public static var fileWriteNoPermission: CocoaError.Code { get }
        public static var fileWriteInvalidFileName: CocoaError.Code { get }
        public static var fileWriteFileExists: CocoaError.Code { get }
        public static var fileWriteUnsupportedScheme: CocoaError.Code { get }
        public static var fileWriteOutOfSpace: CocoaError.Code { get }
        public static var featureUnsupported: CocoaError.Code { get }
        // For `catch CocoaError.fileWriteFileExists`.
        public static func ~= (match: CocoaError.Code, error: any Error) -> Bool
    }

    public static var fileWriteFileExists: CocoaError.Code { get }
}

// Source: https://developer.apple.com/documentation/foundation/posixerror
@available(macOS 10.10, iOS 8, *)
public struct POSIXError: CustomNSError, Hashable, Sendable {
    public init(_ code: POSIXErrorCode, userInfo: [String: Any] = [:])
    public static var errorDomain: String { get }
    public var errorCode: Int { get }
    public var errorUserInfo: [String: Any] { get }
    public var code: POSIXErrorCode { get }
    public var userInfo: [String: Any] { get }
    public static func == (left: POSIXError, right: POSIXError) -> Bool
    public func hash(into hasher: inout Hasher)
    public typealias Code = POSIXErrorCode
}

// In Apple's SDK this is Darwin's, which Foundation exports.
// Source: https://developer.apple.com/documentation/foundation/posixerrorcode
public enum POSIXErrorCode: Int32, Sendable {
    public typealias RawValue = Int32
    public init?(rawValue: Int32)
    public var rawValue: Int32 { get }
    case EPERM = 1
    case ENOENT = 2
    case EINTR = 4
    case EIO = 5
    case EACCES = 13
    case EEXIST = 17
    case ENOTDIR = 20
    case EISDIR = 21
    case EINVAL = 22
    case ENOSPC = 28
    case EPIPE = 32
    case ECONNABORTED = 53
    case ECONNRESET = 54
    case ENOTCONN = 57
    case ECANCELED = 89
}

// What the compiler calls for `error as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError
public func _convertNSErrorToError(_ error: NSError?) -> any Error

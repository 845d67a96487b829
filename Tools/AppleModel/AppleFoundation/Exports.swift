// Stands in for Apple's Foundation: that of Linux, the values of FoundationNetworking, and a model of URLSession.

@_exported import Foundation
@_exported import ObjectiveC

@_exported import class FoundationNetworking.CachedURLResponse
@_exported import class FoundationNetworking.HTTPCookie
@_exported import struct FoundationNetworking.HTTPCookiePropertyKey
@_exported import class FoundationNetworking.HTTPCookieStorage
@_exported import class FoundationNetworking.HTTPURLResponse
@_exported import class FoundationNetworking.NSMutableURLRequest
@_exported import let FoundationNetworking.NSURLAuthenticationMethodDefault
@_exported import let FoundationNetworking.NSURLAuthenticationMethodHTTPBasic
@_exported import let FoundationNetworking.NSURLAuthenticationMethodHTTPDigest
@_exported import let FoundationNetworking.NSURLAuthenticationMethodServerTrust
@_exported import class FoundationNetworking.NSURLRequest
@_exported import class FoundationNetworking.URLAuthenticationChallenge
@_exported import protocol FoundationNetworking.URLAuthenticationChallengeSender
@_exported import class FoundationNetworking.URLCache
@_exported import class FoundationNetworking.URLCredential
@_exported import class FoundationNetworking.URLCredentialStorage
@_exported import class FoundationNetworking.URLProtectionSpace
@_exported import struct FoundationNetworking.URLRequest
@_exported import class FoundationNetworking.URLResponse

// Those of Objective-C, not those of Linux.
public typealias NSObject = ObjectiveC.NSObject
public typealias NSObjectProtocol = ObjectiveC.NSObjectProtocol

// Source: https://developer.apple.com/documentation/foundation/nsurlsessiontransfersizeunknown
public let NSURLSessionTransferSizeUnknown: Int64 = -1

/// Ends the process, as an exception of Objective-C does: Swift cannot catch it.
func raise(_ name: String, _ reason: String) -> Never { fatalError("*** \(name): \(reason)") }

extension URLError {
    // Evidence: swift-corelibs-foundation, test_checkErrorTypeAfterInvalidateAndCancel.
    init(_ code: Code, at url: URL?) {
        self.init(code, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
    }
}

extension URL {
    /// What has to be equal for two URLs to be of one server.
    var origin: String { "\(scheme?.lowercased() ?? "")://\(host?.lowercased() ?? ""):\(port ?? 80)" }
}

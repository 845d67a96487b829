import Foundation
internal import URLSessionResultTransport

/// What a screen asks of an error.
extension NetworkError {
    /// Whether the device has no connection to the internet, so that the same request may succeed when it has one.
    ///
    /// On Linux, no error of a connection says that: a host is not found, or cannot be reached.
    public var isOffline: Bool {
        switch urlError?.code {
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: true
        default: false
        }
    }

    /// Whether the server took longer than the request allows, by `timeoutInterval` or a deadline.
    public var isTimeout: Bool { urlError?.code == .timedOut }

    /// Whether the user has to sign in: a ``serverError(statusCode:response:)`` with status 401, or
    /// `URLError.userAuthenticationRequired`.
    ///
    /// `TokenAuthentication` of `URLSessionResultClient` gives the latter where no token helps any more.
    public var requiresSignIn: Bool { statusCode == 401 || urlError?.code == .userAuthenticationRequired }
}

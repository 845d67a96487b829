#if canImport(FoundationNetworking)

import Foundation

extension URLRequest {
    /// The request with these cookies. A task that is made of it sends no others from the storage.
    ///
    /// FoundationNetworking adds every cookie of the host when it makes a task, in any order, whatever `Secure` and `Path` say
    /// (`URLSession._Configuration.setCookies`). The request of a task cannot be changed afterwards. So the request refuses
    /// other cookies.
    ///
    /// - Parameters:
    ///   - cookies: The cookies to send.
    ///   - refusal: Whether other cookies are refused: true while the task is made.
    /// - Returns: The request.
    func withFixedCookies(_ cookies: [HTTPCookie], while refusal: Locked<Bool>) -> URLRequest {
        var request = self
        request.setCookies(cookies)
        return request.refusingCookies(while: refusal)
    }

    /// Sets the `Cookie` field, unless there are no cookies.
    mutating func setCookies(_ cookies: [HTTPCookie]) {
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
            setValue(value, forHTTPHeaderField: name)
        }
    }

    private func refusingCookies(while refusal: Locked<Bool>) -> URLRequest {
        let original = self as Any as? NSURLRequest
        let copy = original.flatMap { RequestWithFixedCookies<Never>(copying: $0, refusal: refusal) }
        guard var request = copy as Any as? URLRequest else { return self }
        // The copy has the timeout, but does not know that it was set.
        if timeoutInterval != Self.defaultTimeout { request.timeoutInterval = timeoutInterval }
        return request
    }
}

/// A request whose `Cookie` field stays as it is while the refusal is on.
///
/// Generic, because the program would need each method of the superclass by name otherwise: 11 kB.
private final class RequestWithFixedCookies<Unused>: NSMutableURLRequest {
    private let refusal: Locked<Bool>

    init?(copying request: NSURLRequest, refusal: Locked<Bool>) {
        guard let url = request.url else { return nil }
        self.refusal = refusal
        super.init(url: url, cachePolicy: request.cachePolicy, timeoutInterval: request.timeoutInterval)
        mainDocumentURL = request.mainDocumentURL
        httpMethod = request.httpMethod
        allHTTPHeaderFields = request.allHTTPHeaderFields
        if let stream = request.httpBodyStream {
            httpBodyStream = stream
        } else {
            httpBody = request.httpBody
        }
        networkServiceType = request.networkServiceType
        allowsCellularAccess = request.allowsCellularAccess
        httpShouldHandleCookies = request.httpShouldHandleCookies
    }

    /// Nothing encodes this class.
    required init?(coder: NSCoder) { nil }

    override func setValue(_ value: String?, forHTTPHeaderField field: String) {
        let isRefused = field.lowercased() == "cookie" && refusal.withLock { $0 }
        if !isRefused { super.setValue(value, forHTTPHeaderField: field) }
    }

    /// `URLRequest` copies with this method. A copy has to refuse, too.
    override func mutableCopy(with zone: NSZone? = nil) -> Any {
        RequestWithFixedCookies(copying: self, refusal: refusal) ?? super.mutableCopy(with: zone)
    }
}

// Workaround: `URLSession` ignores `Secure` and `Path` when it sends cookies, and sends them in any order
// Instead: the library respects them, and sends cookies with longer paths first, then older ones
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.wrongCookies
// Upstream: not reported
// May go: this file

#endif

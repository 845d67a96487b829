extension Transfer {
    // MARK: What is added to a request

    func completed(_ request: URLRequest) -> URLRequest {
        var request = request
        let isOverHTTP = request.url?.scheme == "http"
        let headers = Settings.hidesAdditionalHeaders && !isOverHTTP ? nil : settings.httpAdditionalHeaders
        for case (let name as String, let value as String) in headers ?? [:]
        where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if let authorization, authorization.origin == request.url?.origin {
            request.setValue(authorization.field, forHTTPHeaderField: "Authorization")
        }
        guard settings.httpShouldSetCookies, request.httpShouldHandleCookies, let url = request.url,
            let cookies = settings.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
        else { return request }
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// The body of a request and its length.
    func bodyToSend(with request: URLRequest) throws -> (stream: InputStream, length: Int64?)? {
        let isWithoutBody = request.httpMethod == "GET" && redirectCount > 0
        switch isWithoutBody ? nil : task.uploadedBody {
        case .data(let data):
            return (InputStream(data: data), Int64(data.count))
        case .file(let file):
            let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
            guard let stream = InputStream(url: file), let size else { throw URLError(.fileDoesNotExist, at: file) }
            return (stream, size.int64Value)
        case nil:
            if let data = request.httpBody { return (InputStream(data: data), Int64(data.count)) }
            return request.httpBodyStream.map { ($0, nil) }
        }
    }

    // MARK: What follows a response

    /// - Returns: The request that follows a redirect or a challenge, or nil if the response is that of the task.
    func answer(_ response: HTTPURLResponse, to request: URLRequest) throws -> URLRequest? {
        storeCookies(of: response, to: request)
        if let next = try redirected(request, by: response) { return try decision(on: next, after: response) }
        return response.statusCode == 401 ? try authorized(request, after: response) : nil
    }

    private func storeCookies(of response: HTTPURLResponse, to request: URLRequest) {
        guard settings.httpCookieAcceptPolicy != .never, request.httpShouldHandleCookies, let url = response.url,
            let fields = response.allHeaderFields as? [String: String]
        else { return }
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
        settings.httpCookieStorage?.setCookies(cookies, for: url, mainDocumentURL: nil)
    }

    /// Secrets do not go to another origin.
    private func redirected(_ request: URLRequest, by response: HTTPURLResponse) throws -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.statusCode), let url = request.url,
            let location = response.value(forHTTPHeaderField: "Location"),
            let target = URL(string: location, relativeTo: url)?.absoluteURL
        else { return nil }
        guard target.scheme?.lowercased().hasPrefix("http") == true else {
            throw URLError(.unsupportedURL, at: target)
        }
        var next = request
        next.url = target
        let isRepeated = response.statusCode >= 307 || response.statusCode < 303 && request.httpMethod != "POST"
        if !isRepeated, request.httpMethod != "HEAD" {
            next.httpMethod = "GET"
            next.httpBody = nil
            for name in ["Content-Length", "Content-Type"] { next.setValue(nil, forHTTPHeaderField: name) }
        }
        if target.origin != url.origin {
            for name in ["Authorization", "Cookie", "Host"] { next.setValue(nil, forHTTPHeaderField: name) }
        }
        return next
    }

    /// Asks the delegate about a redirect.
    func decision(on next: URLRequest, after response: HTTPURLResponse) throws -> URLRequest? {
        // Evidence: swift-corelibs-foundation, test_httpRedirectionExceededMaxRedirects.
        guard redirectCount < 20 else { throw URLError(.httpTooManyRedirects, at: next.url) }
        redirectCount += 1
        challengeCount = 0
        guard let delegate = receiver(of: Messages.redirect) else { return next }
        return try ask { (answer: @escaping @Sendable (URLRequest?) -> Void) in
            delegate.urlSession(
                self.session, task: self.task, willPerformHTTPRedirection: response, newRequest: next,
                completionHandler: answer)
        }
    }

    private func authorized(_ request: URLRequest, after response: HTTPURLResponse) throws -> URLRequest? {
        guard let field = response.value(forHTTPHeaderField: "WWW-Authenticate"), let url = response.url,
            field.lowercased().hasPrefix("basic")
        else { return nil }
        let space = URLProtectionSpace(
            host: url.host ?? "", port: url.port ?? 80, protocol: url.scheme,
            realm: field.components(separatedBy: "\"").dropFirst().first,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let ofURL = url.user.map { URLCredential(user: $0, password: url.password ?? "", persistence: .none) }
        let proposed = ofURL ?? settings.urlCredentialStorage?.defaultCredential(for: space)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: proposed, previousFailureCount: challengeCount,
            failureResponse: response, error: nil, sender: Sender())
        let (disposition, credential) = try disposition(of: challenge)
        switch disposition {
        case .useCredential: return authorized(request, by: credential)
        case .performDefaultHandling: return challengeCount == 0 ? authorized(request, by: proposed) : nil
        case .cancelAuthenticationChallenge: throw URLError(.cancelled, at: url)
        case .rejectProtectionSpace: return nil
        }
    }

    private func disposition(
        of challenge: URLAuthenticationChallenge
    ) throws -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let delegate = receiver(of: Messages.challenge) else { return (.performDefaultHandling, nil) }
        return try ask { answer in
            delegate.urlSession(self.session, task: self.task, didReceive: challenge) { answer(($0, $1)) }
        }
    }

    private func authorized(_ request: URLRequest, by credential: URLCredential?) -> URLRequest? {
        guard let user = credential?.user, let password = credential?.password, let url = request.url else {
            return nil
        }
        challengeCount += 1
        authorization = (url.origin, "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
        return request
    }
}

/// A challenge needs one. Nobody calls it.
private final class Sender: Foundation.NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

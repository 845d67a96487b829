#if canImport(FoundationNetworking)

import Foundation

/// A transfer of libcurl (`CURL *`), which sends one request. Used on the event loop alone.
///
/// Each handle is used once: in a reused one, libcurl 7.88 has a dangling pointer (`data->state.prevhead`), and a folded first line
/// crashes.
final class EasyHandle {
    let handle: Curl.Handle
    private let curl: Curl
    private var fields: Curl.List?

    /// Where libcurl puts what it says of an error.
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: 256)

    init?(_ curl: Curl) {
        guard let handle = curl.makeEasy() else { return nil }
        self.curl = curl
        self.handle = handle
        message[0] = 0
        curl.set(.noSignal, of: handle, to: 1)
        curl.set(.noProgress, of: handle, to: 1)
        curl.set(.protocols, of: handle, to: 1 | 2)  // CURLPROTO_HTTP, CURLPROTO_HTTPS
        // The timeout of the request counts. Otherwise libcurl would end after 300 s.
        curl.set(.millisecondsToConnect, of: handle, to: Int64(Int32.max))
        curl.set(.acceptEncoding, of: handle, to: "")
        // Heads of a proxy are not the server's.
        curl.set(.suppressConnectHeaders, of: handle, to: 1)
        curl.set(.bufferSize, of: handle, to: Self.longestHead)
        curl.set(.errorBuffer, of: handle, to: message)
        curl.set(.openSocketFunction, of: handle, to: unsafeBitCast(openSocket, to: UnsafeRawPointer.self))
        curl.set(.writeFunction, of: handle, to: unsafeBitCast(takeBody, to: UnsafeRawPointer.self))
        curl.set(.headerFunction, of: handle, to: unsafeBitCast(takeHeader, to: UnsafeRawPointer.self))
        curl.set(.readFunction, of: handle, to: unsafeBitCast(giveBody, to: UnsafeRawPointer.self))
        curl.set(.seekFunction, of: handle, to: unsafeBitCast(seek, to: UnsafeRawPointer.self))
        if curl.differences.asksBeforeRequest {
            curl.set(.prereqFunction, of: handle, to: unsafeBitCast(beforeRequest, to: UnsafeRawPointer.self))
        }
        if curl.differences.leavesLookUps {
            curl.set(.quickExit, of: handle, to: 1)
        } else {
            curl.set(.resolverStartData, of: handle, to: Unmanaged.passUnretained(self).toOpaque())
            curl.set(.resolverStartFunction, of: handle, to: unsafeBitCast(beforeLookUp, to: UnsafeRawPointer.self))
        }
        trust(.ofProcess)
    }

    private func trust(_ authorities: TrustedAuthorities) {
        if let folder = authorities.folder {
            curl.set(.folderOfAuthorities, of: handle, to: folder)
            curl.set(.proxyFolderOfAuthorities, of: handle, to: folder)
        }
        if let file = authorities.file {
            curl.set(.authorities, of: handle, to: file)
            curl.set(.proxyAuthorities, of: handle, to: file)
        } else if curl.getText(.authorities, of: handle) == nil, let file = Self.authorities {
            curl.set(.authorities, of: handle, to: file)
            curl.set(.proxyAuthorities, of: handle, to: file)
        }
    }

    deinit {
        curl.freeEasy(handle)
        curl.freeList(fields)
        message.deallocate()
    }

    /// The size of the buffer for what is received: the longest head that libcurl takes over HTTP/2.
    ///
    /// libcurl 7.88 copies as much of such a head as fits into the buffer. It gives the rest only at the next event of the socket, which
    /// may not come.
    private static let longestHead: Int64 = 128 << 10

    /// Has the connection closed when the transfer is taken from it, unless other transfers share it.
    ///
    /// libcurl before 8.15 keeps what would tell a server of HTTP/2 that the transfer is cancelled (`RST_STREAM`) until it sends something
    /// else on the connection, which may be never.
    func closeConnection() { curl.set(.forbidReuse, of: handle, to: 1) }

    /// What libcurl knew of the latest look-up when it began the next one. A kept connection that was lost may be the second to be looked
    /// up.
    fileprivate var timeBeforeLookUp: Int?

    fileprivate func beginsLookUp() { timeBeforeLookUp = get(.timeOfLookUp) }

    /// Whether the host is being looked up, and the transfer cannot be taken from its connections until that has ended.
    var isHeldByLookUp: Bool { timeBeforeLookUp.map { $0 == get(.timeOfLookUp) } ?? false }

    /// Ends the transfer as soon as the host is found, and tells nobody any more.
    func mute() {
        for option in Self.dataOptions { curl.set(option, of: handle, to: nil as UnsafeRawPointer?) }
        curl.set(.openSocketFunction, of: handle, to: unsafeBitCast(refuseSocket, to: UnsafeRawPointer.self))
    }

    /// The options with the load that libcurl passes to its callbacks.
    private static let dataOptions: [Curl.Option] = [.writeData, .headerData, .readData, .seekData, .prereqData]

    /// The trusted authorities where libcurl was built without knowing a place, as FoundationNetworking finds them.
    private static let authorities = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/usr/share/ssl/certs/ca-bundle.crt", "/usr/local/share/certs/ca-root-nss.crt", "/etc/ssl/cert.pem",
    ].first(where: SystemCalls.isFile)

    /// Prepares the transfer for a request.
    ///
    /// - Parameters:
    ///   - load: What is told, which must last until the transfer is taken from its connections.
    ///   - request: The request.
    ///   - url: Its URL.
    ///   - body: What is sent. Without one, a request other than GET has `Content-Length: 0`.
    ///   - isChallenged: Whether a challenge is to be answered.
    func prepare(
        for load: CurlLoad, _ request: URLRequest, to url: String, sending body: (any UploadSource)?,
        challenged isChallenged: Bool
    ) {
        let this = Unmanaged.passUnretained(load).toOpaque()
        message[0] = 0
        for option in Self.dataOptions { curl.set(option, of: handle, to: this) }
        curl.set(.url, of: handle, to: url)
        let method = request.httpMethod ?? "GET"
        // An upload of nothing has `Content-Length: 0`. libcurl would repeat it even if the server no longer challenges it.
        let uploads = body != nil || method != "GET" && !isChallenged
        curl.set(.upload, of: handle, to: uploads ? 1 : 0)
        curl.set(.lengthOfUpload, of: handle, to: body.map { $0.length ?? -1 } ?? 0)
        set(FieldsToSend(of: request, hasBody: body != nil, saysSo: !uploads))
        curl.set(.customRequest, of: handle, to: method)
        curl.set(.noBody, of: handle, to: method == "HEAD" ? 1 : 0)
        // Otherwise libcurl would send a request without a body again when a kept connection is closed without an answer. A new
        // connection cannot have been closed unnoticed.
        if !curl.differences.asksBeforeRequest, !request.isIdempotent, body?.length ?? 0 == 0 { connectAnew() }
    }

    /// Has libcurl use HTTP/1.1 only.
    func useHTTP1() { curl.set(.httpVersion, of: handle, to: 2) }  // CURL_HTTP_VERSION_1_1

    /// Has libcurl use a new connection.
    func connectAnew() { curl.set(.freshConnect, of: handle, to: 1) }

    /// The connection that the transfer uses, if it is one over TLS.
    var tlsConnection: Curl.Handle? { curl.tlsConnection(of: handle) }

    /// Has libcurl answer a challenge of Digest. It sends the request without its body and waits for a challenge, which it answers with
    /// the whole request.
    func answerDigest(with credential: URLCredential) {
        curl.set(.authentication, of: handle, to: Self.digest)
        curl.set(.user, of: handle, to: credential.user ?? "")
        curl.set(.password, of: handle, to: credential.password ?? "")
        curl.set(.mostRedirects, of: handle, to: Self.mostAnswers)
    }

    /// Has libcurl answer a proxy.
    func answerProxy(_ answer: ProxyAnswer) {
        curl.set(.proxy, of: handle, to: answer.text)
        curl.set(.proxyAuthentication, of: handle, to: answer.isDigest ? Self.digest : Self.basic)
        curl.set(.mostRedirects, of: handle, to: Self.mostAnswers)
    }

    // CURLAUTH_BASIC, CURLAUTH_DIGEST
    private static let basic: Int64 = 1 << 0
    private static let digest: Int64 = 1 << 1

    /// A server may call each answer stale (RFC 7616, section 3.3). libcurl counts answers as redirects.
    private static let mostAnswers: Int64 = 5

    /// The challenges of a proxy that has refused a tunnel, the strongest first. libcurl does not tell their realms.
    func challengesOfTunnel(by proxy: @autoclosure () -> HTTPProxy?, to url: URL) -> [URLAuthenticationChallenge] {
        guard get(.connectCode) == 407, let proxy = proxy(),
            let response = HTTPURLResponse(url: url, statusCode: 407, httpVersion: nil, headerFields: nil)
        else { return [] }
        let offered = Int64(get(.proxyAuthentications))
        let methods = [
            (Self.digest, NSURLAuthenticationMethodHTTPDigest), (Self.basic, NSURLAuthenticationMethodHTTPBasic),
        ]
        return methods.filter { offered & $0.0 != 0 }.map { _, method in
            response.challenge(for: proxy.protectionSpace(realm: nil, authenticationMethod: method, for: url))
        }
    }

    /// - Returns: Whether this libcurl can pin keys.
    func pin(_ keys: String) -> Bool { curl.set(.pinnedPublicKey, of: handle, to: keys) }

    /// Shows a certificate to a server that asks for one.
    ///
    /// - Returns: Whether this libcurl can.
    func show(_ certificate: ClientCertificate.Contents) -> Bool {
        curl.set(.clientCertificate, of: handle, to: certificate.certificate)
            && curl.set(.clientKey, of: handle, to: certificate.key)
            && curl.set(.clientKeyPassword, of: handle, to: certificate.password)
    }

    /// Has the transfer use a proxy, or none, whatever the environment says.
    func use(_ proxy: Proxy) {
        curl.set(.proxy, of: handle, to: proxy.text)
        curl.set(.noProxy, of: handle, to: "")
    }

    private func set(_ fields: FieldsToSend) {
        self.fields = fields.lines.reduce(nil) { curl.append($0, $1) }
        curl.set(.header, of: handle, to: self.fields)
    }

    /// Whether libcurl has said more of an error than its code.
    var hasDescription: Bool { message[0] != 0 }

    /// What libcurl says of an error.
    func description(of code: CurlCode) -> String {
        let said = String(cString: message)
        return said.isEmpty ? curl.description(of: code) : said
    }

    func get(_ information: Curl.Information) -> Int { curl.get(information, of: handle) ?? 0 }
    func getText(_ information: Curl.Information) -> String? { curl.getText(information, of: handle) }

    func pause(receiving: Bool, sending: Bool) -> CurlCode {
        curl.pause(handle, receiving: receiving, sending: sending)
    }
}

/// The header fields of a request, as libcurl takes them, with those that FoundationNetworking adds.
struct FieldsToSend {
    private(set) var lines: [String]

    /// - Parameters:
    ///   - request: The request.
    ///   - hasBody: Whether it has a body.
    ///   - saysSo: Whether a request without one must say so, because libcurl does not.
    init(of request: URLRequest, hasBody: Bool, saysSo: Bool = false) {
        func lacks(_ name: String) -> Bool { request.value(forHTTPHeaderField: name) == nil }
        // What ends in a semicolon has no value, and what ends in a colon is not sent.
        lines = (request.allHTTPHeaderFields ?? [:]).compactMap { name, value in
            if Self.isOfLibcurl(name, value, hasBody: hasBody) { return nil }
            return value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        if lacks("User-Agent") { lines.append(Self.agent) }
        if let language = Self.language, lacks("Accept-Language") { lines.append(language) }
        if hasBody, lacks("Expect") { lines.append("Expect:") }
        if !hasBody, saysSo, !["GET", "HEAD"].contains(request.httpMethod ?? "GET") {
            lines.append("Content-Length: 0")
        }
        if request.httpMethod == "POST", request.httpBody?.isEmpty == false || request.httpBodyStream != nil,
            lacks("Content-Type")
        {
            lines.append("Content-Type: application/x-www-form-urlencoded")
        }
    }

    /// Whether libcurl knows better. It would send a `Host` without a name. The others say where the body ends: a caller who is wrong would
    /// have the server take the rest for another request. A caller may have a body sent in chunks.
    private static func isOfLibcurl(_ name: String, _ value: String, hasBody: Bool) -> Bool {
        switch name.lowercased() {
        case "host": value.allSatisfy { $0 == " " }
        case "content-length": true
        case "transfer-encoding": !hasBody || value.lowercased() != "chunked"
        default: false
        }
    }

    private static let agent =
        "User-Agent: \(ProcessInfo.processInfo.processName) (unknown version) curl/\(Curl.loaded?.version ?? "")"
    private static let language = Locale.current.language.languageCode.map { "Accept-Language: \($0.identifier)" }
}

// MARK: - What libcurl calls

private typealias Transferring = @convention(c) (UnsafeMutableRawPointer?, Int, Int, UnsafeMutableRawPointer?) -> Int

private func load(_ pointer: UnsafeMutableRawPointer) -> CurlLoad {
    Unmanaged<CurlLoad>.fromOpaque(pointer).takeUnretainedValue()
}

private let takeBody: Transferring = { bytes, size, count, this in
    guard let this else { return 0 }
    return load(this).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let takeHeader: Transferring = { bytes, size, count, this in
    guard let this else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return load(this).receiveHeader(line) ? line.count : 0
}

private let giveBody: Transferring = { bytes, size, count, this in
    guard let this else { return 0 }
    return load(this).send(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

/// Takes a `curl_sockaddr`, which begins with the family, the type and the protocol. Not every libcurl makes sockets that other programs
/// do not get.
private let openSocket: @convention(c) (UnsafeMutableRawPointer?, CInt, UnsafeMutablePointer<CInt>?) -> CInt = {
    _, _, address in
    guard let address else { return -1 }
    return SystemCalls.makeSocket(address[0], address[1], address[2])
}

private let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, CInt) -> CInt = { this, position, origin in
    // CURL_SEEKFUNC_OK, and CURL_SEEKFUNC_FAIL.
    this.map { load($0).rewind(to: position) } == true ? 0 : 1
}

private let beforeLookUp:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CInt = {
        _, _, this in
        if let this { Unmanaged<EasyHandle>.fromOpaque(this).takeUnretainedValue().beginsLookUp() }
        return 0
    }

private let refuseSocket: @convention(c) (UnsafeMutableRawPointer?, CInt, UnsafeMutableRawPointer?) -> CInt = {
    _, _, _ in
    -1  // CURL_SOCKET_BAD
}

private let beforeRequest:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, CInt, CInt) -> CInt = {
        this, _, _, _, _ in
        // CURL_PREREQFUNC_OK, and CURL_PREREQFUNC_ABORT.
        this.map { load($0).maySend() } == true ? 0 : 1
    }

#endif

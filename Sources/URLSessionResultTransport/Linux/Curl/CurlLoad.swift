#if canImport(FoundationNetworking)

import Foundation

/// A request that libcurl sends.
///
/// Unchecked, because `shown` holds a lock, and everything else that changes is used on the event loop alone.
final class CurlLoad: Load, @unchecked Sendable {
    private struct Shown: Sendable {
        var response: URLResponse?
        var sent: Int64 = 0
        var metrics: TransactionMetrics?
    }

    private let curl: Curl
    private let request: URLRequest
    private let url: URL
    private let transaction: Transaction
    private let events: TransactionEvents
    private let loop: EventLoop
    private let timeout: UInt64

    /// Nil if the environment names it.
    private let proxy: Proxy?

    /// The credential that libcurl answers a Digest challenge with. Nil if it answers none.
    private let digestCredential: URLCredential?

    /// What libcurl answers the proxy. Nil if the proxy has not asked.
    private let proxyAnswer: ProxyAnswer?

    /// Guards what the caller's task shows: the loop changes it. `Transaction.state` may be held when it is taken.
    private let shown = Locked(Shown())
    private let lengthToSend: Int64

    /// Guards whether the transaction takes nothing for now: its reader is behind, or it is asked about the head. It is changed from any
    /// thread, in order.
    private let wantsPause = Locked(false)

    /// Guards whether the transaction has stopped the load: any thread stops it, and the loop, which may be about to send it, ends it later.
    private let isStopped = Locked(false)

    // On the event loop alone.
    private var body: (any UploadSource)?
    private var answers: LibcurlAnswers
    private var connections: Connections?
    private var easy: EasyHandle?
    private var head = ResponseHead()
    private var lengthOfHeads = 0
    private var timeOfFirstByte: UInt64 = 0
    private var isBegunOrEnded = false
    private var isOver = false
    private var sentCount: Int64 = 0
    private var requestCount = 0

    /// Whether libcurl has asked to send a request.
    private var hasConnection = false

    /// What the transfer has failed with, if libcurl cannot know.
    private var failure: (any Error)?
    private var needsOtherStream = false
    private var isSendingPaused = false

    /// Whether the transaction takes nothing for now.
    private var isPausedByTransaction = false

    /// Whether the disk is behind, to which the response is written.
    private var awaitsDisk = false
    private var isReceivingPaused: Bool { isPausedByTransaction || awaitsDisk }

    /// Whether libcurl has been told to pause, as the answer to a piece. It is not told so at another time: `curl_easy_pause` of 8.5 then
    /// reads once more.
    private var hasRefusedPiece = false

    /// Whether this libcurl may read on while the transfer is paused. Its socket is left unread then. Over HTTP/2, the window is what stops
    /// the server.
    private var readsWhilePaused: Bool { curl.differences.readsWhilePaused && !head.isOfHTTP2 }

    /// Whether the end of the connection is that of the body, and this libcurl would lose what it keeps of a paused transfer when that end
    /// comes. Such a transfer is never paused, and the transaction keeps what comes nevertheless.
    private var isLostIfPaused = false

    /// The server, if transfers to it may share a connection: HTTP/2 is spoken over TLS only.
    let sharedServer: String?
    private let isForTLS: Bool

    /// Whether libcurl answers Digest, and would mix this request with others on its connection. Over HTTP/1.1, on connections for such
    /// requests, it does not.
    private let isKeptApart: Bool

    /// Whether libcurl has put the request on a connection of HTTP/1.1 that another request uses, and may not send it.
    private var isOnConnectionOfOther = false

    /// When the transfer takes too long: nothing has come or gone for the timeout.
    private(set) var deadline = UInt64.max

    /// - Throws: The reason why there is nothing to send.
    init(
        _ curl: Curl, _ loop: EventLoop, of request: URLRequest, sending body: (any UploadSource)?,
        for transaction: Transaction
    ) throws {
        guard let url = request.url, url.host != nil else { throw URLError(.badURL, at: request.url) }
        isForTLS = url.scheme?.lowercased() == "https"
        if isForTLS, TrustedAuthorities.ofProcess.asksForNoChecks {
            throw URLError(
                .secureConnectionFailed, at: url,
                saying: "URLSessionCertificateAuthorityInfoFile must be a file. Certificates are always checked.")
        }
        guard request.hasLines else {
            throw URLError(
                .badURL, at: url,
                saying: "The method or the name of a header field is no token (RFC 9110, section 5.6.2).")
        }
        self.curl = curl
        digestCredential = transaction.prepared.usedCredential?.digestCredential
        var request = request
        // The session's configuration may have added another one.
        if digestCredential != nil { request.removeFields(["authorization"]) }
        self.request = request
        self.url = url
        self.transaction = transaction
        self.loop = loop
        events = TransactionEvents(of: transaction)
        timeout = UInt64(request.timeoutInterval * 1_000_000_000)
        let proxy = try Proxy.named(by: transaction.configuration.connectionProxyDictionary, for: url)
        self.proxy = proxy
        proxyAnswer = ProxyAnswer(
            transaction.prepared.proxyCredential, for: HTTPProxy(proxy ?? .ofEnvironment(for: url)))
        self.body = body
        var challengeCodes = digestCredential == nil ? [] : [401]
        // A proxy that is asked for a tunnel gives no response.
        if !isForTLS, proxyAnswer?.isDigest == true { challengeCodes.append(407) }
        isKeptApart = !challengeCodes.isEmpty && curl.differences.mixesDigestWithOthers
        sharedServer = isForTLS && !isKeptApart ? "\(url.host ?? ""):\(url.port ?? 443)" : nil
        answers = LibcurlAnswers(
            to: challengeCodes, hasBody: body != nil,
            expectsContinue: request.value(forHTTPHeaderField: "Expect") != nil)
        lengthToSend = body?.length ?? 0
        if body != nil, request.httpMethod ?? "GET" == "GET" {
            throw URLError(.dataLengthExceedsMaximum, at: url, saying: "GET method must not have a body")
        }
    }

    var response: URLResponse? { shown.withLock { $0.response } }
    var metrics: TransactionMetrics? { shown.withLock { $0.metrics } }
    var countOfBytesSent: Int64 { shown.withLock { $0.sent } }
    var countOfBytesExpectedToSend: Int64 { lengthToSend }

    func start() { onLoop { $0.begin() } }
    func stop() {
        isStopped.withLock { $0 = true }
        onLoop { $0.end() }
    }

    /// Calls a function on the event loop. A load that is over is released elsewhere: it may be the last that has the caller's session.
    private func onLoop(_ work: @escaping @Sendable (CurlLoad) -> Void) {
        loop.perform { [self] in
            work(self)
            if isOver { loop.releaseElsewhere(self) }
        }
    }

    // MARK: On the event loop

    private func begin() {
        // Unless it was stopped.
        guard !isBegunOrEnded else { return }
        isBegunOrEnded = true
        guard curl.agrees(with: url, url.absoluteString) else {
            end()
            return fail(with: .badURL)
        }
        body?.whenReady = { [weak self] in self?.onLoop { $0.continueSending() } }
        connect()
    }

    private func connect(anew: Bool = false) {
        let owner = transaction.callersSession
        let key = ConnectionsPool.Key(
            owner: ObjectIdentifier(owner), isForStreams: transaction.isStream, isForDigest: isKeptApart)
        hasActed()
        // From 8.20 on, libcurl needs descriptors for them.
        guard let easy = EasyHandle(curl), let connections = loop.connections(for: key, of: owner, curl) else {
            end()
            return fail(with: .cannotConnectToHost)
        }
        self.easy = easy
        self.connections = connections
        easy.prepare(
            for: self, request, to: url.absoluteString, sending: body, challenged: !answers.challengeCodes.isEmpty)
        // In the clear, HTTP/2 is not spoken. A server that claims it is not to have its connections shared.
        if isKeptApart || curl.differences.sharesHTTP1 && !isForTLS { easy.useHTTP1() }
        if anew { easy.connectAnew() }
        if let digestCredential { easy.answerDigest(with: digestCredential) }
        if let proxy { easy.use(proxy) }
        if let proxyAnswer { easy.answerProxy(proxyAnswer) }
        let settings = owner.tlsSettings
        if let keys = settings.pinnedPublicKeys(for: url), !easy.pin(keys) {
            end()
            return fail(with: .secureConnectionFailed)
        }
        if let certificate = settings.clientCertificate(for: url) {
            read(certificate)
        } else {
            addToConnections()
        }
    }

    /// Reads a client certificate on another thread, because a disk may be slow. The timeout of the request goes on meanwhile.
    private func read(_ certificate: ClientCertificate) {
        connections?.keepDeadline(of: self)
        Thread.detachNewThread { [self] in
            let contents = Result { try certificate.contents(for: url) }
            onLoop { $0.show(contents) }
        }
    }

    private func show(_ certificate: Result<ClientCertificate.Contents, any Error>) {
        guard !isOver, let easy else { return }
        connections?.forgetDeadline(of: self)
        do {
            guard easy.show(try certificate.get()) else { throw URLError(.secureConnectionFailed, at: url) }
            addToConnections()
        } catch {
            end()
            events.notify { $0.ended(with: error) }
        }
    }

    private func addToConnections() {
        guard let easy, let connections, connections.add(self, easy) else {
            end()
            return fail(with: .unknown)
        }
    }

    private func fail(with code: URLError.Code) {
        let error = URLError(code, at: url)
        events.notify { $0.ended(with: error) }
    }

    private func end() {
        isBegunOrEnded = true
        setOver()
        connections?.forgetDeadline(of: self)
        leave()
    }

    private func setOver() {
        isOver = true
        loop.releaseElsewhere(self)
    }

    /// Takes the transfer from its connections.
    private func leave(endedByLibcurl: Bool = false) {
        body?.stop()
        guard let easy = easy.take() else { return }
        if received != nil || answers.undecidedResponse != nil, transaction.collectsMetrics {
            let timeSinceFirstByte = Double(DispatchTime.now().uptimeNanoseconds - timeOfFirstByte) / 1_000_000_000
            let metrics = easy.metrics(timeSinceFirstByte: timeSinceFirstByte)
            shown.withLock { $0.metrics = metrics }
        }
        connections?.remove(easy, endedByLibcurl: endedByLibcurl)
    }

    /// Notes that something has come or gone.
    private func hasActed() {
        // Not while a delegate is asked: its answer has to come in time, though more of the body has come than is kept meanwhile.
        deadline = isReceivingPaused && !isRedirect ? .max : loop.now &+ timeout
        connections?.noteAction()
    }

    func isTooLate() {
        // The response is whole, and the server takes no more: see `Connections.endAnsweredUploads()`.
        if isAnsweredUpload { return completed(with: .ok) }
        end()
        fail(with: .timedOut)
    }

    // MARK: The request, as libcurl asks for it

    /// libcurl has a connection, and is about to send the request.
    ///
    /// - Returns: Whether it may.
    func maySend() -> Bool {
        guard !isStopped.withLock({ $0 }) else { return false }
        // libcurl would repeat a request that a 417 has stopped within its body.
        guard received == nil else { return false }
        isOnConnectionOfOther = usesConnectionOfOther()
        guard !isOnConnectionOfOther else { return false }
        requestCount += 1
        hasConnection = true
        forgetUndecidedResponse()
        if let easy { connections?.connected(self, easy) }
        return requestCount == 1 || request.isIdempotent
    }

    /// Whether libcurl is about to send the request between those of others: see `LibcurlDifferences.sharesHTTP1`.
    private func usesConnectionOfOther() -> Bool {
        guard curl.differences.sharesHTTP1, isForTLS, let connections, let connection = easy?.tlsConnection,
            !curl.speaksHTTP2(connection)
        else { return false }
        return connections.loads.values.contains { $0 !== self && $0.tlsConnection == connection }
    }

    /// The connection on which the request was sent, as long as it is used.
    private var tlsConnection: Curl.Handle? { hasConnection ? easy?.tlsConnection : nil }

    /// Begins again, on a new connection, where libcurl has put the request on that of another.
    ///
    /// - Returns: Whether it is to be sent, and can be.
    private func beginAgain() -> Bool {
        guard isOnConnectionOfOther, requestCount == 0 || request.isIdempotent, sentCount == 0 || rewind(to: 0),
            let former = easy.take()
        else { return false }
        connections?.remove(former, endedByLibcurl: true)
        isOnConnectionOfOther = false
        isSendingPaused = false
        requestCount = 0
        connect(anew: true)
        return true
    }

    /// - Returns: The number of bytes, or what says that there are none.
    func send(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        guard let body else { return 0 }
        do {
            guard let count = try body.read(into: bytes) else {
                isSendingPaused = true
                return 0x1000_0001  // CURL_READFUNC_PAUSE
            }
            // The stream may end as libcurl sends this, or the end of a body of unknown length.
            if !hasReadBody { wakeSoon() }
            guard count > 0 else {
                hasReadBody = true
                return 0
            }
            hasActed()
            answers.noteSending()
            sentCount += Int64(count)
            hasReadBody = sentCount == body.length
            shown.withLock { $0.sent = sentCount }
            events.notify { [sentCount] in $0.sent(sentCount) }
            return count
        } catch {
            failure = error
            return 0x1000_0000  // CURL_READFUNC_ABORT
        }
    }

    /// Whether bytes of the body have been given to libcurl.
    var isSending: Bool { sentCount > 0 }

    /// Whether libcurl has got all of the body. It may not have sent it yet.
    private var hasReadBody = false

    private var hasErrorStatus: Bool { (received ?? answers.undecidedResponse)?.statusCode ?? 0 >= 300 }

    /// Whether libcurl may not notice that this transfer can go on, or has ended.
    var mayStandStill: Bool {
        isForTLS && body != nil && (curl.differences.forgetsUploads || curl.differences.endWhileSending == .waits)
    }

    /// When to wake it. libcurl tells nobody that it stands still, so it is woken again after ever longer pauses.
    private(set) var timeOfWake = UInt64.max
    private var pauseBeforeWake = firstPause
    private static let firstPause: UInt64 = 1_000_000
    private static let longestPause: UInt64 = 4_096_000_000

    /// How many bytes libcurl had sent when it was woken.
    private var countOfBytesSentAtWake = 0

    /// Notes that libcurl was called.
    ///
    /// - Parameters:
    ///   - mayRead: Whether it may have read something for a transfer of the session.
    ///   - wantedToSend: Whether it had asked when it may send. It may have sent what it had kept.
    func noteCall(mayRead: Bool, wantedToSend: Bool) {
        // libcurl before 7.88 always wants to send. After a wake, the loop asks once more whether it can: that alone is no reason for the
        // next one.
        let mayHaveChanged = curl.differences.forgetsUploads ? mayRead : wantedToSend
        if mayHaveChanged || easy?.get(.countOfBytesSent) != countOfBytesSentAtWake { wakeSoon() }
    }

    private func wakeSoon() {
        // Only uploads over HTTP/2 stand still, and from 7.88 on only if they are answered.
        guard mayStandStill, head.isComplete ? head.isOfHTTP2 : curl.differences.forgetsUploads else { return }
        pauseBeforeWake = Self.firstPause
        timeOfWake = min(timeOfWake, loop.now + pauseBeforeWake)
        connections?.noteWake(at: timeOfWake)
    }

    /// Lets libcurl read and send once more, if it may not notice that it can: see `LibcurlDifferences`.
    ///
    /// - Returns: Whether it will, if it is called.
    func wake() -> Bool {
        pauseBeforeWake = min(pauseBeforeWake * 4, Self.longestPause)
        timeOfWake = loop.now + pauseBeforeWake
        // A paused transfer reads when it goes on.
        guard !hasRefusedPiece, !isSendingPaused, let easy, !head.isComplete || head.isOfHTTP2 else { return false }
        // Or nothing yet.
        let hasSentAll = (hasReadBody || sentCount == 0) && easy.get(.countOfBytesSent) == sentCount
        if curl.differences.forgetsUploads {
            guard !hasSentAll else { return false }
        } else {
            // Not while this libcurl keeps a piece that the socket did not take: it might send that twice. After an error, it sends no more.
            guard head.isComplete, hasSentAll || hasErrorStatus else { return false }
        }
        countOfBytesSentAtWake = easy.get(.countOfBytesSent)
        // A socket event would be for the first transfer of the connection alone. A pause that ends is for this one. There is none without
        // a connection, for which the transfer may wait again.
        guard easy.pause(receiving: false, sending: true) == .ok else { return false }
        fail(unless: easy.pause(receiving: false, sending: false))
        return true
    }

    /// Whether libcurl has sent more of the body since this was called the last time. It may have taken more than it has sent.
    func hasSentMore() -> Bool {
        guard isSending, let easy else { return false }
        let count = easy.get(.countOfBytesSent)
        defer { knownCountOfBytesSent = count }
        return count != knownCountOfBytesSent
    }

    private var knownCountOfBytesSent = 0

    private func continueSending() {
        guard isSendingPaused, let easy else { return }
        isSendingPaused = false
        fail(unless: easy.pause(receiving: hasRefusedPiece, sending: false))
    }

    private func fail(unless code: CurlCode) { if code != .ok { completed(with: code) } }

    /// Goes back in the body, because the server has closed a kept connection without an answer, or has challenged the request.
    func rewind(to position: Int64) -> Bool {
        guard request.isIdempotent || answers.isChallenged, let body else { return false }
        guard body.rewind(to: position) else {
            needsOtherStream = true
            return false
        }
        sentCount = position
        hasReadBody = false
        return true
    }

    // MARK: The response, as libcurl gives it

    private static let longestHeads = 300_000

    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        hasActed()
        if answers.undecidedResponse != nil, line.starts(with: "HTTP/".utf8) { forgetUndecidedResponse() }
        if lengthOfHeads == 0, transaction.collectsMetrics { timeOfFirstByte = DispatchTime.now().uptimeNanoseconds }
        lengthOfHeads += line.count
        switch lengthOfHeads > Self.longestHeads && !head.isComplete ? .malformed : head.add(line) {
        case .more, .ignored:
            return true
        case .malformed:
            failure = URLError(.cannotParseResponse, at: url)
            return false
        case .complete:
            guard let response = head.response(from: url) else {
                failure = URLError(.cannotParseResponse, at: url)
                return false
            }
            wakeSoon()
            if answers.keep(response, whileSending: isSending) {
                // The next request is the answer to the challenge, and no repetition.
                requestCount = 0
            } else {
                notify(of: response)
            }
            return true
        }
    }

    private func notify(of response: HTTPURLResponse) {
        received = response
        // Not asked of libcurl, which may not have taken over the length yet.
        isLostIfPaused =
            readsWhilePaused && !response.isChunked
            && response.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) } == nil
        let cookies = head.cookies
        if !cookies.isEmpty { events.notify { $0.receive(cookieFields: cookies) } }
        if response.redirects {
            isRedirect = true
            connections?.keepDeadline(of: self)
            return events.notify { [self] in $0.redirected(by: response, betweenEvents: performBetweenEvents) }
        }
        shown.withLock { $0.response = response }
        // Weak, because a timer keeps the closure for longer than the load lasts.
        events.notify { [weak self] in
            $0.receive(response) { [weak self] in self?.performBetweenEvents($0) }
        }
    }

    /// Calls a function between two events, from any thread.
    private func performBetweenEvents(_ work: @escaping @Sendable () -> Void) {
        onLoop { $0.events.notify { _ in work() } }
    }

    private var received: HTTPURLResponse?

    /// Whether the response redirects, and a delegate is asked.
    private var isRedirect = false

    /// libcurl answers the undecided response itself.
    private func forgetUndecidedResponse() {
        guard let response = answers.takeUndecidedResponse() else { return }
        let cookies = head.cookies
        if !cookies.isEmpty { events.notify { $0.answersItself(response, cookieFields: cookies) } }
        head = ResponseHead()
        lengthOfHeads = 0
    }

    /// libcurl sends no other request.
    private func notifyOfUndecidedResponse() {
        if let response = answers.takeUndecidedResponse() { notify(of: response) }
    }

    // MARK: The body of the response

    /// - Returns: The number of bytes, or what says that they cannot be taken.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !isReceivingPaused || isLostIfPaused else {
            hasRefusedPiece = true
            return 0x1000_0001  // CURL_WRITEFUNC_PAUSE
        }
        hasActed()
        if answers.ignoresBody(whileSending: isSending) { return bytes.count }
        notifyOfUndecidedResponse()
        guard received != nil else {
            failure = URLError(.cannotParseResponse, at: url)
            return 0
        }
        changePauses {
            if let start = bytes.baseAddress {
                let data = Data(bytes: start, count: bytes.count)
                awaitsDisk = !events.receive(data) { [weak self] in self?.onLoop { $0.diskIsFree() } }
            }
            // Read here and not only by `setReceivingPaused`: while the server sends, libcurl may give the next piece before the loop does
            // other work.
            isPausedByTransaction = wantsPause.withLock { $0 }
        }
        return bytes.count
    }

    /// Pauses or continues receiving. libcurl may still deliver a piece after this.
    func setReceivingPaused(_ isPaused: Bool) {
        wantsPause.withLock { $0 = isPaused }
        onLoop { load in
            // The transaction lets a redirect go on when it is the response.
            if !isPaused { load.isRedirect = false }
            load.changePauses { load.isPausedByTransaction = load.wantsPause.withLock { $0 } }
        }
    }

    private func diskIsFree() { changePauses { awaitsDisk = false } }

    private func changePauses(_ change: () -> Void) {
        let wasPaused = isReceivingPaused
        change()
        guard isReceivingPaused != wasPaused else { return }
        hasActed()
        connections?.checkEarlier(self)
        guard let easy else { return }
        if readsWhilePaused { connections?.setReading(!isReceivingPaused, for: easy) }
        guard !isReceivingPaused, hasRefusedPiece else { return }
        hasRefusedPiece = false
        fail(unless: easy.pause(receiving: false, sending: isSendingPaused))
    }

    // MARK: The end

    /// Whether the response has come before the whole request was sent.
    var isAnsweredUpload: Bool { isSending && !hasRefusedPiece && isAnswered }

    /// Whether the whole response has come over HTTP/2, as its `Content-Length` says.
    private var isAnswered: Bool {
        guard let easy, head.isComplete, head.isOfHTTP2 else { return false }
        return easy.get(.countOfBytesReceived) == easy.get(.lengthOfResponse)
    }

    /// Whether a code says only that a stream of HTTP/2 has ended, and the response is whole (RFC 9113, section 8.1): the server has reset
    /// the stream, because it does not need the rest of the request, or has got the rest after its response.
    private func isEndAfterResponse(_ code: CurlCode) -> Bool {
        guard [.http2Stream, .sendError].contains(code), head.isComplete, head.isOfHTTP2, !hasRefusedPiece, let easy
        else { return false }
        guard easy.get(.lengthOfResponse) < 0 else { return isAnswered }
        // libcurl says more if the server has reset the stream because of an error.
        guard !easy.hasDescription else { return false }
        return code == .http2Stream || hasReadBody && curl.differences.endWhileSending == .fails
    }

    func completed(with code: CurlCode) {
        if beginAgain() { return }
        setOver()
        // What libcurl has kept since it was paused is lost if it ends now.
        let code = code == .ok && hasRefusedPiece ? .partialFile : code
        let error = code == .ok ? nil : error(for: code)
        let challengesOfTunnel = error.flatMap { _ in easy?.challengesOfTunnel(by: httpProxy, to: url) } ?? []
        let port = easy?.get(.port)
        leave(endedByLibcurl: true)
        if error == nil { notifyOfUndecidedResponse() }
        if let error, !challengesOfTunnel.isEmpty {
            connections?.keepDeadline(of: self)
            return events.notify { $0.challenged(by: challengesOfTunnel, orEndWith: error) }
        }
        guard let received, error == nil else {
            if needsOtherStream {
                connections?.keepDeadline(of: self)
                return events.notify { $0.connectionIsLost() }
            }
            // The connection may be closed within the head.
            return notifyOfEnd(with: error ?? URLError(.networkConnectionLost, at: url))
        }
        // The timeout goes on while the delegate decides.
        let challenges = received.challenges + challengesOfProxy(received, connectedTo: port)
        guard challenges.isEmpty else {
            connections?.keepDeadline(of: self)
            return events.notify { $0.challenged(by: challenges) }
        }
        notifyOfEnd(with: nil)
    }

    private var httpProxy: HTTPProxy? { HTTPProxy(proxy ?? .ofEnvironment(for: url)) }

    /// The challenges of a proxy that has answered in place of the server. Through a tunnel, the server answers itself.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - port: That of the proxy, unless the environment excepts the host (`no_proxy`). An excepted host with the same port is not told apart.
    /// - Returns: The challenges, the strongest first.
    private func challengesOfProxy(
        _ response: HTTPURLResponse, connectedTo port: Int?
    ) -> [URLAuthenticationChallenge] {
        isForTLS ? [] : response.challenges(of: httpProxy.flatMap { $0.port == port ? $0 : nil })
    }

    /// Tells the end. If a delegate is still asked about a redirect, its transaction stops the load after the answer.
    private func notifyOfEnd(with error: (any Error)?) {
        guard isRedirect else { return events.notify { $0.ended(with: error) } }
        events.notify { [self] in
            $0.ended(with: error)
            if !$0.isAsking { stop() }
        }
    }

    private func error(for code: CurlCode) -> (any Error)? {
        if let failure { return failure }
        guard let easy else { return URLError(.unknown, at: url) }
        if isEndAfterResponse(code) { return nil }
        // No request follows the response: see `maySend()`.
        if [.abortedByCallback, .sendFailedRewind].contains(code), received != nil { return nil }
        // The server has challenged too many answers.
        if code == .tooManyRedirects, answers.undecidedResponse != nil { return nil }
        let encoding = received?.value(forHTTPHeaderField: "Content-Encoding")
        let isBeforeRequest =
            curl.differences.asksBeforeRequest ? !hasConnection : easy.get(.timeOfRequest) == 0
        let failure = CurlFailure(
            code: code, message: easy.description(of: code), errorNumber: easy.get(.errorNumber),
            verifyResult: easy.get(.verifyResult), isBeforeRequest: isBeforeRequest,
            hasHead: head.isComplete,
            decodes: encoding.map { curl.decodes($0) } ?? true)
        // A paused transfer may fail with these codes for another reason: it has more to decode than libcurl keeps.
        if failure.isOfTrailers, !isReceivingPaused, received?.value(forHTTPHeaderField: "Transfer-Encoding") != nil {
            return nil
        }
        return URLError(failure.urlErrorCode, at: url, saying: failure.message)
    }
}

extension URLRequest {
    /// Whether its method and its fields are one line each. Otherwise they might be another request.
    fileprivate var hasLines: Bool {
        func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(\.isInToken) }
        return isToken(httpMethod ?? "GET")
            && (allHTTPHeaderFields ?? [:]).allSatisfy { name, value in
                isToken(name) && !value.utf8.contains { [0, 10, 13].contains($0) }
            }
    }
}

extension HTTPURLResponse {
    /// Whether its body says itself where it ends (RFC 9112, section 6.3).
    fileprivate var isChunked: Bool {
        let last = value(forHTTPHeaderField: "Transfer-Encoding")?.split(separator: ",").last
        return last?.trimmingCharacters(in: .whitespaces).lowercased() == "chunked"
    }
}

extension Curl {
    /// Whether libcurl can decode a body (RFC 9110, section 8.4).
    fileprivate func decodes(_ field: String) -> Bool {
        let names = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        return names.count <= 5 && names.allSatisfy { encodings.contains($0) }
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation

/// One request on its way, and what has arrived of its response: what URLSession's metrics call a transaction.
///
/// What it is told is told the transfer: on the work queue, or on the thread of a `URLProtocol` of the caller.
final class Transaction: NSObject, Sendable {
    /// What has arrived.
    ///
    /// Unchecked, because the lock of the transaction is held on every access.
    private struct Content: @unchecked Sendable {
        /// Nil once it was stopped, or has ended.
        var load: (any Load)?

        /// Whether the load reads the body of its request from a stream.
        var isStreamed = false
        var sender: HeadSender
        var response: URLResponse?
        var data = Data()

        var head = Head.missing
        var file: DownloadedFile?

        /// The length of a file that is resumed, with the bytes that were there before.
        var wholeCount: Int64?

        /// Why the bytes that arrive cannot be put behind those.
        var refusal: (any Error)?

        /// Whether the file was removed. What arrives later makes no other one.
        var isRemoved = false
        var count: Int64 = 0
        var sentCount: Int64 = 0
        var expectedToSend: Int64 = 0

        init(sender: HeadSender) { self.sender = sender }

        // What the load says, or has said at its end.
        var presentResponse: URLResponse? { sender.serversHead(load?.response ?? response) }
        var presentSentCount: Int64 { load?.countOfBytesSent ?? sentCount }
        var presentExpectedToSend: Int64 { load?.countOfBytesExpectedToSend ?? expectedToSend }

        /// The number of bytes that the body has when it is whole, or a number below 1 while it is unknown.
        var expectedCount: Int64 { wholeCount ?? presentResponse?.lengthOfBody ?? 0 }

        /// Why a file that was resumed is not whole, although its load has ended well: nothing else says how long the rest is if the
        /// response has no `Content-Length`.
        var wrongLength: URLError? {
            guard let wholeCount, count != wholeCount else { return nil }
            return URLError(count < wholeCount ? .networkConnectionLost : .badServerResponse)
        }

        /// Takes the load, and keeps what the caller's task shows of it.
        mutating func endLoad() -> (any Load)? {
            guard let load = load.take() else { return nil }
            response = load.response ?? response
            sentCount = load.countOfBytesSent
            expectedToSend = load.countOfBytesExpectedToSend
            return load
        }
    }

    /// How far the head of a stream's response has got.
    private enum Head {
        case missing

        /// It may be that of a challenge. It is given to the receiver after some time, or some bytes.
        case heldBack

        /// A delegate decides whether another request follows. It is given if none does.
        case judged
        case given
    }

    let prepared: PreparedRequest
    private let transfer: Transfer

    /// Guards what has arrived: the load tells it while the caller looks at it, stops the load or removes the file. Bytes are
    /// written under this lock, in the order in which they come. The lock of a `ProtocolLoad` is taken under it, never the other
    /// way round.
    ///
    /// A cancellation, while a byte arrives:
    ///
    /// 1. The caller cancels. `stop()` takes the load, which goes on for an instant.
    /// 2. The end is delivered: `removeFile()` removes the file, if there is one.
    /// 3. The work queue brings more bytes. `keep` finds no load, and makes no file that nobody would remove.
    ///
    /// A cancellation for resume data, while the head of the rest arrives:
    ///
    /// 1. The caller cancels, and `earlierResumeData` finds that no byte of the rest has come: the kept file is still good.
    /// 2. The work queue brings the head. It would move the kept file away, but finds no load, because `stop()` came first.
    ///
    /// If the head comes first, `wholeCount` says so to the first step, and the file is the transaction's.
    private let content: Locked<Content>

    /// - Parameters:
    ///   - prepared: The request, and the body of an upload.
    ///   - request: The request with what the session's configuration adds to it.
    ///   - loader: Who loads it.
    ///   - transfer: The transfer, which is told what arrives.
    /// - Throws: The reason why there is nothing to send: the file of an upload cannot be read.
    init(sending prepared: PreparedRequest, as request: URLRequest, by loader: Loader, for transfer: Transfer) throws {
        self.prepared = prepared
        self.transfer = transfer
        content = Locked(Content(sender: HeadSender(of: request, by: loader)))
        super.init()
        let load = try transfer.dependencies.makeLoad(loader, request, self)
        content.withLock { content in
            content.load = load
            content.isStreamed = load is StreamedUpload
        }
    }

    var request: URLRequest { prepared.request }
    var configuration: URLSessionConfiguration { transfer.configuration }
    var callersSession: URLSession { transfer.session }
    var callersTask: URLSessionTask? { transfer.callersTask(of: self) }
    var isStream: Bool { transfer.receiver != nil }

    // MARK: For the transfer

    func start() { content.withLock { $0.load }?.start() }

    /// Ends the load. What it tells afterwards is ignored, because the transfer has another transaction, or none.
    func stop() { content.withLock { $0.endLoad() }?.stop() }

    var response: URLResponse? { content.withLock { $0.presentResponse } }

    /// Keeps bytes: in memory, or in the file of a download. Those of a stream are only counted, unless it is held back.
    ///
    /// - Returns: How many bytes there are now.
    /// - Throws: The reason why a file cannot be made, or written. What arrives after the load was stopped is not kept, because
    ///   its server may go on for long.
    func keep(_ data: Data) throws -> Kept {
        try content.withLock { content in
            guard content.load != nil else { throw URLError(.cancelled) }
            if let refusal = content.refusal { throw refusal }
            // Workaround: byteCounts
            content.count += Int64(data.count)
            if isStream {
                guard content.head == .heldBack else { return Kept(count: content.count, heldBackCount: nil) }
                content.data.append(data)
                return Kept(count: content.count, heldBackCount: content.data.count)
            }
            if prepared.kind.isDownload {
                try file(of: &content).append(data)
            } else {
                content.data.append(data)
            }
            return Kept(count: content.count, heldBackCount: nil)
        }
    }

    struct Kept {
        /// The number of bytes of the body so far.
        let count: Int64

        /// Of these, the number that is held back, or nil if the response is not.
        let heldBackCount: Int?
    }

    /// Holds the response of a stream back, unless the stream has begun: a `URLProtocol` may give several heads.
    func holdBack() { content.withLock { if $0.head == .missing { $0.head = .heldBack } } }

    var isHeldBack: Bool { content.withLock { $0.head == .heldBack } }

    /// Notes that a delegate is to decide about the response.
    ///
    /// - Returns: Whether another request may follow: a stream has not begun with this response.
    func judgeHead() -> Bool {
        content.withLock { content in
            guard content.head != .given else { return false }
            content.head = .judged
            return true
        }
    }

    /// Notes that the receiver of a stream is given the head.
    ///
    /// - Returns: The bytes that were held back, or nil if it was given the head before.
    func giveHead() -> Data? {
        content.withLock { content in
            guard content.head != .given else { return nil }
            content.head = .given
            defer { content.data = Data() }
            return content.data
        }
    }

    /// What a handler is given at the end.
    ///
    /// - Parameters:
    ///   - head: The response if the load has none: FoundationNetworking tells apart what redirects or challenges.
    ///   - error: Why not all of the response is there.
    /// - Returns: The outcome.
    func outcome(of head: URLResponse? = nil, with error: (any Error)? = nil) -> TaskOutcome {
        let response = head ?? response
        guard prepared.kind.isDownload else {
            return TaskOutcome(data: content.withLock { $0.data }, response: response, error: error)
        }
        guard error == nil else { return TaskOutcome(response: response, error: error) }
        do {
            let file = try content.withLock { try self.file(of: &$0).url }
            return TaskOutcome(file: file, response: response)
        } catch {
            return TaskOutcome(response: response, error: error)
        }
    }

    private func file(of content: inout Content) throws -> DownloadedFile {
        if let refusal = content.refusal { throw refusal }
        guard !content.isRemoved else { throw URLError(.cancelled) }
        let file = try content.file ?? transfer.dependencies.makeFile()
        content.file = file
        return file
    }

    /// Removes the file of a download, unless it was moved.
    func removeFile() {
        let file = content.withLock { content in
            content.isRemoved = true
            return content.file?.url
        }
        guard let file else { return }
        try? FileManager.default.removeItem(at: file)
    }

    var expectedCount: Int64 { content.withLock { $0.expectedCount } }

    /// What the caller's task shows while this transaction is the present one.
    var shown: ShownTask {
        content.withLock { content in
            ShownTask(
                request: request, response: content.presentResponse,
                sent: content.presentSentCount, expectedToSend: content.presentExpectedToSend,
                received: content.count, expectedToReceive: content.expectedCount)
        }
    }

    // MARK: What arrives

    /// - Parameters:
    ///   - head: The head of a response.
    ///   - inTurn: A function that calls another one before the load tells anything else, or between two things that it tells.
    func receive(_ head: URLResponse, inTurn: @escaping Turn) {
        // Workaround: headOfProxy
        let load = content.withLock { $0.sender.mayBeProxy ? $0.load : nil }
        if let code = load?.statusCodeOfServer, code == (head as? HTTPURLResponse)?.statusCode {
            settleSender { _ in false }
        }
        let isKeptBack = content.withLock { $0.sender.keepBack(head, inTurn) }
        if !isKeptBack { accept(head, inTurn: inTurn) }
    }

    /// More has come than the head that was kept back, if one was.
    private func settleSender(_ isServers: (URLResponse) -> Bool) {
        guard let kept = content.withLock({ $0.sender.settle(isServers) }) else { return }
        accept(kept.head, inTurn: kept.inTurn)
    }

    /// Takes the head of the server's response.
    private func accept(_ head: URLResponse, inTurn: @escaping Turn) {
        if case .resumedDownload(let resumeData) = prepared.kind, let head = head as? HTTPURLResponse, head.isFinal {
            let isFileGone = content.withLock { content in !Self.resume(resumeData, with: head, in: &content) }
            if isFileGone, prepared.asksForRest { return transfer.beginAnew(after: self) }
        }
        transfer.receive(head, of: self, inTurn: inTurn)
    }

    typealias Turn = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Goes on with a kept file if the response has the rest of it. The whole body, or an error, goes to a new file.
    ///
    /// A head that comes after the load was stopped changes nothing: resume data may have the kept file by then. So the file is
    /// moved under the lock.
    ///
    /// - Returns: Whether the file is still there if it is needed. A system may remove a temporary file at any time.
    private static func resume(_ resumeData: ResumeData, with head: HTTPURLResponse, in content: inout Content) -> Bool
    {
        guard content.load != nil else { return true }
        guard head.statusCode == 206 else {
            if head.statusCode == 200 { KeptDownloads.remove(resumeData.file) }
            return true
        }
        do {
            guard let length = head.wholeLength(continuing: resumeData) else { throw URLError(.badServerResponse) }
            content.file = try DownloadedFile(
                continuing: KeptDownloads.url(of: resumeData.file), at: resumeData.length)
            content.wholeCount = length
            content.count = resumeData.length
        } catch {
            content.refusal = error
            return (error as? CocoaError)?.code != .fileNoSuchFile
        }
        return true
    }

    /// Keeps the file of a download that did not end well, if the server can be asked for the rest.
    ///
    /// - Parameter url: The address to ask.
    /// - Returns: What resumes the download, or nil if nothing does.
    func keepFile(of url: URL?) -> ResumeData? {
        guard prepared.request.httpMethod ?? "GET" == "GET" else { return nil }
        if let earlier = earlierResumeData { return earlier }
        guard let url, url.isForHTTP, let part = takePart() else { return nil }
        guard let name = KeptDownloads.keep(part.file.url) else {
            try? FileManager.default.removeItem(at: part.file.url)
            return nil
        }
        return ResumeData(url: url, entityTag: part.entityTag, file: name, length: part.length)
    }

    /// What this download was resumed with, if that is still good: no byte of the rest has arrived. An error response, for example,
    /// goes to a file of its own. What was kept before is gone if the server has begun anew.
    private var earlierResumeData: ResumeData? {
        guard case .resumedDownload(let resumeData) = prepared.kind,
            content.withLock({ $0.wholeCount == nil && $0.refusal == nil }),
            KeptDownloads.length(of: resumeData.file) != nil
        else { return nil }
        return resumeData
    }

    /// The beginning of a file, and what a request for the rest needs.
    private struct Part {
        let file: DownloadedFile
        let entityTag: String
        let length: Int64
    }

    /// Takes the file if the server can be asked for the rest, so that nobody else removes it.
    private func takePart() -> Part? {
        content.withLock { content in
            // A server has no byte behind the last one, so that one is asked for again.
            let length = content.count < content.expectedCount ? content.count : content.count - 1
            guard let file = content.file, let entityTag = entityTag(of: content), length > 0,
                content.wholeCount ?? .max >= content.count
            else { return nil }
            content.isRemoved = true
            content.file = nil
            return Part(file: file, entityTag: entityTag, length: length)
        }
    }

    /// The tag of the file. Some servers leave it out of the rest.
    private func entityTag(of content: Content) -> String? {
        if let tag = (content.presentResponse as? HTTPURLResponse)?.entityTagForResuming { return tag }
        guard case .resumedDownload(let resumeData) = prepared.kind, content.wholeCount != nil else { return nil }
        return resumeData.entityTag
    }

    func receive(_ data: Data) {
        settleSender { _ in true }
        do {
            transfer.receive(data, kept: try keep(data), of: self)
        } catch {
            transfer.end(self, with: TaskOutcome(response: response, error: error))
        }
    }

    func sent(_ count: Int64) {
        let total = content.withLock { $0.presentExpectedToSend }
        transfer.count(count, of: total, ofRequest: true, by: self)
    }

    func challenged(by challenge: URLAuthenticationChallenge) {
        settleSender { $0 === challenge.failureResponse }
        transfer.decide(about: challenge, of: self)
    }

    func redirected(by response: HTTPURLResponse, to request: URLRequest?) {
        // Nobody has announced it.
        settleSender { _ in false }
        transfer.decide(about: response, to: request, of: self)
    }

    /// The load is over.
    func ended(with error: (any Error)?) {
        let latest = content.withLock { $0.load?.response }
        settleSender { error == nil && $0 === latest }
        let (load, wrongLength) = content.withLock { ($0.endLoad(), $0.wrongLength) }
        transfer.ended(self, with: (load as? StreamedUpload)?.failure ?? error ?? wrongLength)
    }

    /// The server has closed a connection that was kept, without an answer. libcurl sends the request again, but
    /// FoundationNetworking cannot rewind a body. So the load gets none, and another transaction is for the next attempt.
    func connectionIsLost(_ completionHandler: @escaping @Sendable (InputStream?) -> Void) {
        let isStreamed = content.withLock { $0.isStreamed }
        // Workaround: keptConnection
        transfer.repeatRequest(of: self)
        completionHandler(isStreamed ? UnreadableStream(data: Data()) : nil)
    }
}

/// FoundationNetworking would send a request without a body if there were no stream.
private final class UnreadableStream: InputStream {
    override var hasBytesAvailable: Bool { true }
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int { -1 }
}

#endif

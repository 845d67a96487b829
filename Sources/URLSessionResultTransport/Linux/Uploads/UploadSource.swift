#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Where the bytes of a request's body come from. It is used on the event loop alone, so its functions must not wait.
protocol UploadSource: AnyObject {
    /// Nil if nobody knows it before the end.
    var length: Int64? { get }

    /// What is called when there are bytes again, on any thread.
    var whenReady: @Sendable () -> Void { get set }

    /// Fills the beginning of memory with the next bytes.
    ///
    /// - Returns: The number of bytes, which is zero at the end. Nil if there are none yet: `whenReady` will be called.
    func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int?

    /// Goes to a position.
    ///
    /// - Returns: Whether it did. What was read may be gone.
    func rewind(to position: Int64) -> Bool

    /// Nobody reads any more.
    func stop()
}

enum UploadSources {
    /// The source of a request's body. Nil if it has none.
    static func source(of request: URLRequest, uploading upload: UploadBody?) -> (any UploadSource)? {
        switch upload {
        case .data(let data): return DataSource(data)
        case .file(let file): return FileSource(file)
        case nil: break
        }
        if let data = request.httpBody, !data.isEmpty { return DataSource(data) }
        let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }.map { max($0, 0) }
        return request.httpBodyStream.map { StreamSource($0, length: length) }
    }
}

/// Bytes in memory.
private final class DataSource: UploadSource {
    private let data: Data
    private var rest: Data
    var whenReady: @Sendable () -> Void = {}

    init(_ data: Data) {
        self.data = data
        rest = data
    }

    var length: Int64? { Int64(data.count) }

    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        let part = rest.prefix(bytes.count)
        part.copyBytes(to: bytes)
        rest = rest.dropFirst(part.count)
        return part.count
    }

    func rewind(to position: Int64) -> Bool {
        rest = data.dropFirst(Int(position))
        return true
    }

    func stop() {}
}

/// A file, of which the next piece is read on another queue while one is sent.
///
/// Unchecked, because `state` holds a lock, and everything else that changes is used on the event loop alone.
final class FileSource: UploadSource, @unchecked Sendable {
    /// Reads a range of the file.
    typealias Reading = @Sendable (Range<Int>) throws -> Data

    static let sizeOfPiece = 512 * 1024

    private enum State: Sendable {
        case reading(isAwaited: Bool)
        case read(Result<Data, any Error>)
    }

    private let read: Reading
    private let count: Int
    private let queue = DispatchQueue(label: "URLSessionResult.FileSource")
    private var piece = Data()

    /// Where the next piece begins.
    private var position = 0

    /// The next piece, which is being read or was read. Nil if there is none. A rewind drops it: what is still being read then does
    /// not count.
    private var next: Locked<State>?
    var whenReady: @Sendable () -> Void = {}

    convenience init(_ file: UploadedFile) { self.init(ofLength: file.length, reading: file.contents) }

    init(ofLength length: Int, reading read: @escaping Reading) {
        count = length
        self.read = read
    }

    var length: Int64? { Int64(count) }

    func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int? {
        if piece.isEmpty {
            guard let nextPiece = try takeNext() else { return nil }
            piece = nextPiece
        }
        let part = piece.prefix(bytes.count)
        part.copyBytes(to: bytes)
        piece = piece.dropFirst(part.count)
        return part.count
    }

    /// - Returns: The next piece, which is empty at the end. Nil if it is not read yet.
    private func takeNext() throws -> Data? {
        guard position < count else { return Data() }
        let state = next ?? readNext()
        let piece: Result<Data, any Error>? = state.withLock { state in
            if case .read(let result) = state { return result }
            state = .reading(isAwaited: true)
            return nil
        }
        guard let piece = try piece?.get() else { return nil }
        position += piece.count
        next = nil
        // The next piece is read while this one is sent.
        if position < count { _ = readNext() }
        return piece
    }

    private func readNext() -> Locked<State> {
        let state = Locked(State.reading(isAwaited: false))
        next = state
        let range = position..<min(position + Self.sizeOfPiece, count)
        queue.async { [read, whenReady] in
            let result = Result { try read(range) }
            let isAwaited = state.withLock { state in
                defer { state = .read(result) }
                if case .reading(isAwaited: true) = state { return true }
                return false
            }
            if isAwaited { whenReady() }
        }
        return state
    }

    func rewind(to position: Int64) -> Bool {
        piece = Data()
        next = nil
        self.position = Int(position)
        return true
    }

    func stop() {}
}

/// A stream of the caller, which is read on a thread of its own, because it may wait.
///
/// Unchecked, because `state` and the stream are used by the thread, or with the lock held.
final class StreamSource: UploadSource, @unchecked Sendable {
    private struct State {
        var bytes = Data()
        var isAtEnd = false
        var failure: (any Error)?

        /// Whether the event loop waits for bytes.
        var isAwaited = false
        var isStopped = false
    }

    private static let size = 64 * 1024

    private let stream: InputStream

    /// The `Content-Length` of the caller. A longer stream is cut there, and a shorter one is an error: otherwise the server would
    /// look for the next request in the wrong place.
    let length: Int64?

    /// How many bytes libcurl has got. Used on the event loop alone.
    private var count: Int64 = 0

    /// Guards the state. The thread that reads the stream waits here until the event loop has taken bytes. The event loop never
    /// waits.
    private let condition = NSCondition()
    private var state = State()
    private var hasThread = false
    var whenReady: @Sendable () -> Void = {}

    init(_ stream: InputStream, length: Int64?) {
        self.stream = stream
        self.length = length
    }

    func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int? {
        if !hasThread {
            hasThread = true
            Thread.detachNewThread { self.fill() }
        }
        condition.lock()
        defer { condition.unlock() }
        let part = state.bytes.prefix(Int(clamping: min(Int64(bytes.count), (length ?? .max) - count)))
        if part.isEmpty {
            if count == length { return 0 }
            if let failure = state.failure { throw failure }
            if state.isAtEnd {
                guard length == nil else { throw URLError(.requestBodyStreamExhausted) }
                return 0
            }
            state.isAwaited = true
            return nil
        }
        part.copyBytes(to: bytes)
        // A copy, because what is appended to a slice keeps all that was before it.
        state.bytes = Data(state.bytes.dropFirst(part.count))
        count += Int64(part.count)
        condition.signal()
        return part.count
    }

    /// Opens the stream, unless the caller did.
    ///
    /// - Returns: Whether it can be read from its beginning: nobody has read it to its end before, or closed it.
    private func open() -> Bool {
        switch stream.streamStatus {
        case .notOpen: stream.open()
        case .closed, .atEnd: return false
        default: break
        }
        return true
    }

    private func fill() {
        guard open() else { return fail(with: nil) }
        defer { stream.close() }
        var piece = [UInt8](repeating: 0, count: Self.size)
        while true {
            let count = stream.streamStatus == .error ? -1 : stream.read(&piece, maxLength: piece.count)
            guard count >= 0 else { return fail(with: stream.streamError) }
            guard count > 0 else { return change { $0.isAtEnd = true } }
            change { $0.bytes.append(contentsOf: piece[..<count]) }
            guard waitUntilTaken() else { return }
        }
    }

    private func fail(with error: (any Error)?) {
        let userInfo = error.map { [NSUnderlyingErrorKey: $0 as Any] } ?? [:]
        change { $0.failure = URLError(.requestBodyStreamExhausted, userInfo: userInfo) }
    }

    /// Changes the state, and wakes the event loop if it waits.
    private func change(_ body: (inout State) -> Void) {
        condition.lock()
        body(&state)
        let isAwaited = state.isAwaited
        state.isAwaited = false
        condition.unlock()
        if isAwaited { whenReady() }
    }

    /// - Returns: Whether anybody wants more.
    private func waitUntilTaken() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while state.bytes.count >= Self.size, !state.isStopped { condition.wait() }
        return !state.isStopped
    }

    /// What was read is gone.
    func rewind(to position: Int64) -> Bool { position == count }

    func stop() {
        condition.lock()
        state.isStopped = true
        condition.signal()
        condition.unlock()
    }
}

#endif

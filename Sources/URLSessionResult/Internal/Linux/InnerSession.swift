#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// A session in which all transfers with `progress:` and all that were redirected, or all streams, of one caller's session
/// run.
///
/// FoundationNetworking reports progress and single pieces of a body to the delegate of a session only. So this session has
/// a delegate of its own, and the configuration of the caller's session: its cache, cookies, credentials and number of
/// connections. The transfers share it, because a session each would be a connection each, which no limit holds for and
/// nobody uses again.
///
/// Adding an operation to its delegate queue must never wait. FoundationNetworking adds them on the queue on which the tasks
/// of all sessions run, and an operation may itself be waiting for that queue, as `cancel()` does. So the operations of a
/// stream, one for each 16 KiB, wait in memory until they run, and none of them waits for a reader.
///
/// It is closed soon after the caller's session is gone, or when nobody has used it for half a minute. A timer looks for
/// both, because FoundationNetworking does not say when a session is invalidated or released.
final class InnerSession: Sendable {
    enum Purpose: Sendable {
        case wholeBodies
        case streams
    }

    let session: URLSession
    private let purpose: Purpose
    private let state: Locked<State>

    private struct State {
        weak var owner: URLSession?
        var transfersInFlight = 0
        var wasUsedSinceLastCheck = false
        var checkIsScheduled = false
        var isClosed = false

        var isAbandoned: Bool { owner == nil && transfersInFlight == 0 }
    }

    private static let openSessions = Locked<[InnerSession]>([])

    /// The session for another transfer of the caller's session. Call `transferHasEnded()` when the transfer is over.
    static func beginTransfer(of owner: URLSession, for purpose: Purpose) -> InnerSession {
        openSessions.withLock { sessions in
            sessions.removeAll { $0.closeIfAbandoned() }
            if let session = sessions.first(where: { $0.beginTransfer(of: owner, for: purpose) }) { return session }
            let session = InnerSession(owner: owner, purpose: purpose)
            sessions.append(session)
            return session
        }
    }

    private init(owner: URLSession, purpose: Purpose) {
        self.purpose = purpose
        let queue =
            switch purpose {
            case .wholeBodies: owner.serialDelegateQueue
            case .streams: OperationQueue.serial()
            }
        session = URLSession(
            configuration: owner.configuration, delegate: InnerSessionDelegate(), delegateQueue: queue)
        state = Locked(State(owner: owner, transfersInFlight: 1))
    }

    private func beginTransfer(of owner: URLSession, for purpose: Purpose) -> Bool {
        guard purpose == self.purpose else { return false }
        return state.withLock { state in
            guard state.owner === owner, !state.isClosed else { return false }
            state.transfersInFlight += 1
            return true
        }
    }

    func transferHasEnded() {
        let needsCheck = state.withLock { state in
            state.transfersInFlight -= 1
            state.wasUsedSinceLastCheck = true
            guard state.transfersInFlight == 0, !state.checkIsScheduled else { return false }
            state.checkIsScheduled = true
            return true
        }
        if needsCheck { scheduleCheck(after: Self.shortestPause) }
    }

    // MARK: Closing

    /// The first pause, in seconds. While nobody uses the session, each pause is twice as long as the one before.
    private static let shortestPause = 0.25
    private static let longestPause = 16.0

    private enum CheckResult {
        case isInUse
        case checkAgain(after: TimeInterval)
        case close
    }

    private func scheduleCheck(after pause: TimeInterval) {
        // The timer must not keep the connections of a session that is closed already.
        DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            switch check(after: pause) {
            case .isInUse:
                // The end of the last transfer schedules the next check.
                break
            case .checkAgain(let nextPause):
                scheduleCheck(after: nextPause)
            case .close:
                Self.openSessions.withLock { $0.removeAll { $0 === self } }
                session.finishTasksAndInvalidate()
            }
        }
    }

    private func check(after pause: TimeInterval) -> CheckResult {
        state.withLock { state in
            guard state.transfersInFlight == 0 else {
                state.checkIsScheduled = false
                return .isInUse
            }
            let isUnused = !state.wasUsedSinceLastCheck && pause >= Self.longestPause
            if state.isAbandoned || isUnused {
                state.isClosed = true
                return .close
            }
            defer { state.wasUsedSinceLastCheck = false }
            return .checkAgain(after: state.wasUsedSinceLastCheck ? Self.shortestPause : 2 * pause)
        }
    }

    private func closeIfAbandoned() -> Bool {
        let isClosedNow = state.withLock { state in
            guard state.isAbandoned else { return false }
            state.isClosed = true
            return true
        }
        if isClosedNow { session.finishTasksAndInvalidate() }
        return isClosedNow
    }
}

extension URLSession {
    /// The delegate queue, or a serial one with the same underlying queue: a queue that runs several operations at once
    /// would shuffle the body.
    fileprivate var serialDelegateQueue: OperationQueue {
        guard delegateQueue.maxConcurrentOperationCount != 1 else { return delegateQueue }
        let queue = OperationQueue.serial()
        queue.underlyingQueue = delegateQueue.underlyingQueue
        return queue
    }
}

extension OperationQueue {
    fileprivate static func serial() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}

/// Passes the messages of FoundationNetworking on to the transfer that they are about.
///
/// A message goes only to a transfer that implements it: the implementation that FoundationNetworking has for the others
/// sends it back here, without an end.
private final class InnerSessionDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        dataTask.streamTransfer?.urlSession(
            session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        dataTask.transfer?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        task.collectingTransfer?.urlSession(
            session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        downloadTask.collectingTransfer?.urlSession(
            session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
            totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        downloadTask.collectingTransfer?.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: file)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        task.transfer?.takeEnd(of: task, with: error)
    }
}

extension URLSessionTask {
    fileprivate var transfer: (any GuardedTransfer)? { delegate as? any GuardedTransfer }
    fileprivate var streamTransfer: StreamTransfer? { delegate as? StreamTransfer }
    fileprivate var collectingTransfer: CollectingTransfer? { delegate as? CollectingTransfer }
}

#endif

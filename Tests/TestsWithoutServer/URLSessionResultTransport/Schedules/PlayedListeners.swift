#if canImport(FoundationNetworking)

import Foundation

@testable import URLSessionResultTransport

/// A delegate that hands each question on, with a function that answers it: yes, or no.
final class PlayedDelegate: NSObject, URLSessionTaskDelegate {
    private let ask: @Sendable (_ answer: @escaping (Bool) -> Void) -> Void
    private let noteRelease: @Sendable () -> Void

    init(
        asking ask: @escaping @Sendable (_ answer: @escaping (Bool) -> Void) -> Void,
        noting noteRelease: @escaping @Sendable () -> Void
    ) {
        self.ask = ask
        self.noteRelease = noteRelease
    }

    deinit { noteRelease() }

    /// It changes the request: otherwise the delegate of the session would be asked, too.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        request.setValue("changed", forHTTPHeaderField: "X-Delegate")
        ask { [request] in completionHandler($0 ? request : nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let credential = URLCredential(user: "user", password: "password", persistence: .none)
        ask { completionHandler($0 ? .useCredential : .rejectProtectionSpace, $0 ? credential : nil) }
    }
}

/// A receiver that checks the order of what it gets.
///
/// Unchecked, because the thread of the test is the only one.
final class PlayedReceiver: ResponseReceiver, @unchecked Sendable {
    private(set) var head: URLResponse?
    private(set) var bytes = Data()
    private var isOver = false
    private let noteFault: (String) -> Void
    private let noteBytes: (_ loads: Set<Int>) -> Void

    /// - Parameters:
    ///   - noteFault: Takes what must not happen and did.
    ///   - noteBytes: Takes the numbers of the loads that the bytes came from so far, when some have come.
    init(noting noteFault: @escaping (String) -> Void, noteBytes: @escaping (_ loads: Set<Int>) -> Void) {
        self.noteFault = noteFault
        self.noteBytes = noteBytes
    }

    func receive(_ head: URLResponse, of task: URLSessionTask, isTimed: Bool) {
        if isOver { noteFault("A head comes after the end") }
        if self.head != nil { noteFault("A second head comes") }
        self.head = head
    }

    func receive(_ data: Data, of task: URLSessionTask) {
        if isOver { noteFault("Bytes come after the end") }
        if head == nil { noteFault("Bytes come before the head") }
        bytes += data
        noteBytes(Set(stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) }))
    }

    func patienceIsOver(with task: URLSessionTask) {
        if head == nil { noteFault("A head is held back though it is awaited no longer") }
    }

    func complete(with error: (any Error)?) {
        if isOver { noteFault("A stream ends twice") }
        isOver = true
    }
}

#endif

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// The state machine of a body, without a task: every state that can be reached is visited, and in each of them what the library
/// promises is asked.
struct BodyStreamStateTests {
    @Test("In every state that can be reached, each promise holds")
    func allStates() {
        let start = World(after: [])
        var known = [start.key: start]
        var queue = [start]
        while !queue.isEmpty {
            let world = queue.removeFirst()
            for event in World.Event.allCases where world.allows(event) {
                let next = World(after: world.path + [event])
                #expect(next.broken == [], "\(next.path)")
                // Also where the state looks like one that is known.
                #expect(next.reachesItsEnd, "\(next.path)")
                guard next.broken.isEmpty, known[next.key] == nil else { continue }
                known[next.key] = next
                queue.append(next)
            }
        }
        // Otherwise the walk ended early.
        #expect(known.count > 50)
    }

    /// Whoever stops it holds a lock, which the error may need when it is released.
    @Test("A body that is stopped hands out the ending that was not given")
    func formerEnding() {
        struct ErrorOfCaller: Error {
            let canary: Canary
        }
        let isReleased = Monitor(false)
        var state = BodyStreamState<Int>(buffer: BodyBuffer(pausingBy: { _ in }))
        let finish: (Canary) -> Void = { _ = state.finish(as: .failure(.transportError(ErrorOfCaller(canary: $0)))) }
        finish(Canary { isReleased.withLock { $0 = true } })
        let stopped = state.stop(as: .success(nil))
        #expect(!isReleased.value)
        withExtendedLifetime(stopped) {}
    }
}

/// A state, and around it what a stream does: the reader who waits, and what was given.
private struct World {
    enum Event: CaseIterable {
        // Of the task.
        case piece, end, failure
        // Of the reader: to ask for what is there, to wait for what comes, to leave.
        case ask, wait, cancel
    }

    /// An invariant that does not hold any more.
    enum Broken: String {
        case unanswered = "What comes is given to the reader who waits, and to nobody else."
        case lost = "Bytes are given in their order, none is lost, and none twice."
        case undropped = "What has not been read is dropped by a cancellation, and nothing that comes later is given."
        case early = "The end is given after the bytes that came before it."
        case otherEnd = "The first end counts, and a cancellation until the reader knows the end."
        case notFinal = "The end is given once, and after it there is nil."
        case disturbed = "While a reader waits, there is an error for everybody else, and the reader waits on."
        case idle = "A reader waits only for what has not come."
    }

    private(set) var path: [Event] = []
    private(set) var broken: [Broken] = []
    private var state = BodyStreamState<Int>(buffer: BodyBuffer(pausingBy: { _ in }))

    private var sent: [UInt8] = []
    private var given: [UInt8] = []
    private var reader: Int?
    private var readers = 0
    private var isCancelled = false
    private var end: String?
    private var isEndGiven = false

    init(after path: [Event]) {
        for event in path { apply(event) }
    }

    var key: String { "\(sent.count) \(given.count) \(reader != nil) \(isCancelled) \(end ?? "") \(isEndGiven)" }

    func allows(_ event: Event) -> Bool { event == .piece ? sent.count < 3 : true }

    private mutating func apply(_ event: Event) {
        path.append(event)
        switch event {
        case .piece:
            let byte = UInt8(sent.count)
            if end == nil { sent.append(byte) }
            let told = state.receive(Data([byte]))
            if told != reader { broken.append(.unanswered) }
            if told != nil { give([byte]) }
            reader = nil
        case .end: finish(state.finish(as: .success(nil)), as: "end")
        case .failure: finish(state.finish(as: .failure(.noData)), as: "failure")
        case .cancel:
            if !isEndGiven, end != nil || reader == nil { end = "cancelled" }
            finish(state.stop(as: .failure(.transportError(code: .cancelled))).reader, as: "cancelled")
            isCancelled = true
        case .ask: take(state.next(for: nil), mayWait: false)
        case .wait:
            readers += 1
            take(state.next(for: readers), mayWait: true)
        }
    }

    private mutating func finish(_ told: Int?, as name: String) {
        if told != reader { broken.append(.unanswered) }
        if told != nil { isEndGiven = true }
        end = end ?? name
        reader = nil
    }

    private mutating func give(_ bytes: [UInt8]) {
        if isCancelled { broken.append(.undropped) }
        given += bytes
        if given != Array(sent.prefix(given.count)) { broken.append(.lost) }
    }

    private mutating func take(_ piece: BodyStreamState<Int>.Piece?, mayWait: Bool) {
        switch piece {
        case .success(let bytes?):
            give(Array(bytes))
        case nil:
            if end != nil || given != sent || reader != nil { broken.append(.idle) }
            if mayWait { reader = readers }
        case .failure(.transportError(let error)) where error is BodyAlreadyReadError:
            if reader == nil { broken.append(.disturbed) }
        case let piece?:
            if reader != nil { broken.append(.disturbed) }
            if !isCancelled, given != sent { broken.append(.early) }
            let expected = isEndGiven ? "end" : end
            if name(of: piece) != expected { broken.append(isEndGiven ? .notFinal : .otherEnd) }
            isEndGiven = true
        }
    }

    private func name(of piece: BodyStreamState<Int>.Piece) -> String {
        switch piece {
        case .success(nil): "end"
        case .success: "bytes"
        case .failure(let error): error.isCancelled ? "cancelled" : "failure"
        }
    }

    /// Whether the reader learns the end once the task has ended.
    var reachesItsEnd: Bool {
        let world = World(after: path + [.piece, .end, .ask, .ask])
        return world.isEndGiven && world.broken.isEmpty
    }
}

import Foundation
import Testing

@testable import TestSupport

/// Runs each case of a test when it is its turn, and ends a case that hangs, or the process if the case cannot be ended.
///
/// Swift Testing starts all cases at once. Most of these have a server, a session and threads of their own, and thousands of
/// them starve each other on a small machine. So every suite of the targets with a server takes turns.
///
/// The limit counts from the turn on. That of `.timeLimit` would count the wait, too.
struct InTurn: SuiteTrait, TestTrait, TestScoping {
    /// In seconds. A case takes seconds. On Linux, the limit leaves room for a sanitizer on a busy machine.
    #if os(Linux)
    private static let limit: TimeInterval = 300
    #else
    private static let limit: TimeInterval = 60
    #endif

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        ExitTestLimit.announce
        try await Turns.shared.run {
            let isOver = Monitor(false)
            defer { isOver.withLock { $0 = true } }
            try await cancelling(after: Self.limit, function) {
                Issue.record("The test takes longer than \(Self.limit) seconds.", sourceLocation: test.sourceLocation)
                Self.endProcess(for: test, unless: isOver)
            }
        }
    }

    /// A handler that is never called, for example, keeps a test that is cancelled.
    private static func endProcess(for test: Test, unless isOver: Monitor<Bool>) {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: limit / 5)
            guard !isOver.value else { return }
            FileHandle.standardError.write(Data("error: This test hangs: \(test.name), \(test.sourceLocation)\n".utf8))
            abort()
        }
    }
}

extension Trait where Self == InTurn {
    static var inTurn: Self { Self() }
}

/// Runs the body. When the limit is over, says so, cancels the body, and waits for its end.
///
/// - Parameters:
///   - limit: In seconds.
///   - body: Is to end when its task is cancelled.
///   - onTimeout: Is called before the body is cancelled.
/// - Throws: What the body throws within the limit.
func cancelling(
    after limit: TimeInterval, _ body: @Sendable () async throws -> Void, onTimeout: @escaping @Sendable () -> Void
) async throws {
    try await withoutActuallyEscaping(body) { body in
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await Task.sleep(nanoseconds: UInt64(limit * 1_000_000_000))
                onTimeout()
            }
            group.addTask(operation: body)
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// Waits for what is to happen soon, and not only when something else ends it after some minutes. The time is long for a busy machine.
func soon(
    _ wait: @Sendable () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let limit: TimeInterval = 30
    try await cancelling(after: limit, wait) {
        Issue.record("It takes longer than \(limit) seconds.", sourceLocation: sourceLocation)
    }
}

/// Lets other tasks run. Throws when the limit of the test is over, so that a loop around it ends.
func letOthersRun() async throws {
    try Task.checkCancellation()
    await Task.yield()
}

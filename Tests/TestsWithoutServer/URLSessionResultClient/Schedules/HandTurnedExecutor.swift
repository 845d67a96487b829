#if os(Linux)

/// Keeps the jobs of Swift tasks, and runs one when a test says so, on the thread of the test.
///
/// On Linux only, because executors of tasks begin with macOS 15. Unchecked, because the thread of the test is the only one: nothing
/// runs but the jobs.
final class HandTurnedExecutor: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []

    var count: Int { jobs.count }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(UnownedJob(job))
    }

    func turn(at index: Int) {
        jobs.remove(at: index).runSynchronously(on: asUnownedTaskExecutor())
    }

    func turnAll() {
        while !jobs.isEmpty { turn(at: 0) }
    }
}

/// Calls that wait until a test answers them, in the order in which they came. A call whose task is cancelled is answered by that.
///
/// Unchecked for the reason of `HandTurnedExecutor`.
final class HeldCalls<Question: Sendable, Answer: Sendable>: @unchecked Sendable {
    private struct Call {
        let number: Int
        let question: Question
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private var calls: [Call] = []
    private var count = 0

    var questions: [Question] { calls.map(\.question) }

    func answer(to question: Question) async throws -> Answer {
        count += 1
        let number = count
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                calls.append(Call(number: number, question: question, continuation: continuation))
            }
        } onCancel: {
            guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
            calls.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }

    /// - Returns: Whether there was a call.
    @discardableResult
    func answerFirst(_ answer: (Question) -> Answer) -> Bool {
        guard !calls.isEmpty else { return false }
        let call = calls.removeFirst()
        call.continuation.resume(returning: answer(call.question))
        return true
    }
}

#endif

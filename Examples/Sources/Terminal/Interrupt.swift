import ArgumentParser
import Dispatch
import Foundation

/// Runs `body` in a task that Control-C cancels. Pressing it again ends the process at once.
///
/// - Parameter body: A function that throws soon after it was cancelled.
/// - Throws: The error that `body` throws; after Control-C, the exit code 130, which shells expect.
package func stoppingAtInterrupt(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task(operation: body)
    // The signal would end the process before the source gets it.
    signal(SIGINT, SIG_IGN)
    let interrupts = DispatchSource.makeSignalSource(signal: SIGINT)
    interrupts.setEventHandler {
        task.cancel()
        signal(SIGINT, SIG_DFL)
    }
    interrupts.resume()
    defer {
        interrupts.cancel()
        signal(SIGINT, SIG_DFL)
    }
    do {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    } catch  where task.isCancelled {
        throw ExitCode(130)
    }
}

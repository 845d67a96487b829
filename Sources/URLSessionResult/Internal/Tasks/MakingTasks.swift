import Foundation

/// Tasks that every public method is made of. Each ends with one value, its outcome.
///
/// The others depend on the platform.
extension URLSession {
    /// Makes a download task for a destination, or a task that fails with the reason why there can be no file.
    func makeDownloadTask(
        for request: URLRequest, to destination: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        do {
            try destination.checkAsDestination()
            return makeDownloadTask(for: request, outcomeHandler: outcomeHandler)
        } catch {
            return makeFailingTask(with: error, outcomeHandler: outcomeHandler) { request, handler in
                makeDownloadTask(for: request, outcomeHandler: handler)
            }
        }
    }

    /// Makes a task that sends nothing and fails when it is resumed or cancelled.
    ///
    /// - Parameters:
    ///   - error: The error of the task, unless it is cancelled.
    ///   - outcomeHandler: The handler of the task.
    ///   - makeTask: A function that makes the task from a request and a handler.
    /// - Returns: The task.
    func makeFailingTask<Task: URLSessionTask>(
        with error: any Error, outcomeHandler: @escaping OutcomeHandler,
        _ makeTask: (URLRequest, @escaping OutcomeHandler) -> Task
    ) -> Task {
        makeTask(Self.requestThatSendsNothing) { outcome in
            outcomeHandler(TaskOutcome(error: outcome.error ?? error))
        }
    }

    /// A request that reaches no server.
    ///
    /// A URL with an unknown scheme would not do: on Linux, its task never ends if it is cancelled before it is resumed.
    private static let requestThatSendsNothing = URLRequest(url: URL(string: "data:,") ?? URL(fileURLWithPath: "/"))
}

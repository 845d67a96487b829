import Foundation
import URLSessionResult

/// Runs a task of `URLSession` by its delegate, which throws away the body that arrives, and answers challenges.
///
/// It keeps nothing of its own that changes: the continuation is that of the one task.
final class Alone: NSObject, URLSessionDataDelegate {
    private let end: CheckedContinuation<Void, any Error>?

    init(_ end: CheckedContinuation<Void, any Error>? = nil) {
        self.end = end
    }

    static func run(_ makeTask: (URLSession) -> URLSessionTask) async throws {
        try await withCheckedThrowingContinuation { end in
            let session = URLSession(configuration: .ephemeral, delegate: Alone(end), delegateQueue: nil)
            makeTask(session).resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "joni", password: "blue", persistence: .none))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let status = (task.response as? HTTPURLResponse)?.statusCode
        if let error {
            end?.resume(throwing: error)
        } else if status != 200 {
            end?.resume(throwing: URLError(.badServerResponse))
        } else {
            end?.resume()
        }
    }
}

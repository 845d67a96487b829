import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate of a session, which puts bodies together from their pieces, without the library.
final class PieceCollector: NSObject, URLSessionDataDelegate, Sendable {
    private struct Body: Sendable {
        var data = Data()
        let end: CheckedContinuation<DataResult, Never>
    }

    private let bodies = Monitor<[Int: Body]>([:])

    func body(from url: URL, in session: URLSession) async -> DataResult {
        await withCheckedContinuation { end in
            let task = session.dataTask(with: url)
            bodies.withLock { $0[task.taskIdentifier] = Body(end: end) }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bodies.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let body = bodies.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        body?.end.resume(returning: DataResult(data: body?.data, response: task.response, error: error))
    }
}

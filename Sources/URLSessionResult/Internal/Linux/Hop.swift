#if canImport(FoundationNetworking)

import Foundation

/// A task in the inner session, and what has arrived for it unless it streams.
final class Hop: Sendable {
    let task: URLSessionTask
    private let received = Locked((data: Data(), file: nil as URL?))

    init(_ task: URLSessionTask) { self.task = task }

    /// What has arrived of a body.
    var body: Data { received.withLock { $0.data } }

    /// The temporary file of a download.
    var file: URL? { received.withLock { $0.file } }

    /// - Returns: How many bytes have arrived.
    func receive(_ data: Data) -> Int64 {
        received.withLock { received in
            received.data.add(data)
            return received.data.length
        }
    }

    func receive(_ file: URL) {
        received.withLock { $0.file = file }
    }

    /// What a handler is given at the end of the task.
    func outcome(with error: (any Error)?) -> TaskOutcome {
        let received = received.withLock { $0 }
        return TaskOutcome(data: received.data, file: received.file, response: task.response, error: error)
    }
}

extension Data {
    /// The count, as `URLSession` counts. By way of `Double`, because `Int64(count)` is much work for the compiler (see
    /// CONTRIBUTING).
    var length: Int64 { Int64(Double(count)) }
}

// Part of: Exchange+Hops

#endif

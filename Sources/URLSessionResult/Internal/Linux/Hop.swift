#if canImport(FoundationNetworking)

import Foundation

/// A task in the inner session, and what has arrived for it unless it streams.
final class Hop: Sendable {
    let task: URLSessionTask
    private let isDownload: Bool
    private let received = Locked((data: Data(), file: nil as DownloadedFile?))

    /// The request without what the configuration adds.
    let request: URLRequest

    init(_ task: URLSessionTask, sending request: URLRequest, isDownload: Bool) {
        self.task = task
        self.request = request
        self.isDownload = isDownload
    }

    /// How many bytes of the body have arrived. FoundationNetworking does not count them for its task.
    var count: Int64 { received.withLock { $0.file?.count ?? $0.data.length } }

    /// The temporary file of a download.
    var file: URL? { received.withLock { $0.file?.url } }

    /// - Returns: How many bytes have arrived.
    /// - Throws: The reason why a file cannot be made, or written.
    func receive(_ data: Data) throws -> Int64 {
        try received.withLock { received in
            guard isDownload else {
                received.data.append(data)
                return received.data.length
            }
            let file = try received.file ?? DownloadedFile()
            received.file = file
            return try file.append(data)
        }
    }

    /// What a handler is given at the end of the task.
    func outcome(with error: (any Error)?) -> TaskOutcome {
        guard isDownload else {
            return TaskOutcome(data: received.withLock { $0.data }, response: task.response, error: error)
        }
        guard error == nil else { return TaskOutcome(response: task.response, error: error) }
        do {
            let file = try received.withLock { received in
                let file = try received.file ?? DownloadedFile()
                received.file = file
                return file.url
            }
            return TaskOutcome(file: file, response: task.response)
        } catch {
            return TaskOutcome(response: task.response, error: error)
        }
    }
}

/// A temporary file that a download goes to.
///
/// Unchecked, because the lock of its hop is held on every access.
private final class DownloadedFile: @unchecked Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tmp")
    private let handle: FileHandle
    private(set) var count: Int64 = 0

    init() throws {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [:]) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ data: Data) throws -> Int64 {
        try handle.write(contentsOf: data)
        count += data.length
        return count
    }
}

extension Data {
    /// The count, as `URLSession` counts. By way of `Double`, because `Int64(count)` is much work for the compiler (see
    /// CONTRIBUTING).
    var length: Int64 { Int64(Double(count)) }
}

// Part of: Exchange+Hops

#endif

#if canImport(FoundationNetworking)

import Foundation

/// What of a body has arrived and has not been read: the first bytes in memory, the rest in temporary files.
///
/// On Linux nothing holds a sender back. `suspend()` sends the request again, and a delegate that blocks stops all sessions
/// of the process, for they share one queue (FoundationNetworking, `URLSession.sharedQueue`). So the body of a reader who
/// is slower than the sender goes where a download would go.
///
/// Unchecked, because the lock of its stream is held on every access.
package final class BodyBuffer: @unchecked Sendable {
    /// A function that gives bytes. It may read a file, so it is called without a lock.
    package typealias Bytes = @Sendable () throws -> Data

    /// How many bytes are kept in memory: a reader who keeps up never causes a file.
    private static let memoryLimit = 4 * 1024 * 1024

    /// How long a file gets. Those that have been read are removed while others are written.
    private static let fileLimit = 256 * 1024 * 1024

    private var memory = Data()

    /// The bytes that come after those in memory.
    private var files: [BodyBufferFile] = []

    package init(of task: URLSessionTask?) {}

    private init(_ memory: Data, _ files: [BodyBufferFile]) {
        self.memory = memory
        self.files = files
    }

    package func append(_ data: Data) throws {
        // Workaround: unreadBody
        guard !files.isEmpty || memory.count + data.count > Self.memoryLimit else { return memory.append(data) }
        let lastCount = files.last?.count ?? Self.fileLimit
        if lastCount >= Self.fileLimit { files.append(try BodyBufferFile()) }
        try files.last?.append(data)
    }

    /// Takes the first bytes, as many as are at hand, or returns `nil` when there are none.
    package func take() -> Bytes? {
        guard memory.isEmpty else {
            defer { memory = Data() }
            return { [memory] in memory }
        }
        while !files.isEmpty {
            if let bytes = files[0].take() { return bytes }
            files.remove(at: 0)
        }
        return nil
    }

    /// Drops everything.
    ///
    /// - Returns: What there was. It is released without a lock: the end of a long file takes its time.
    package func removeAll() -> BodyBuffer {
        defer {
            memory = Data()
            files = []
        }
        return BodyBuffer(memory, files)
    }
}

#endif

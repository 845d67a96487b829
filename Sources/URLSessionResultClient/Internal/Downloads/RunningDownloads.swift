import Foundation
internal import URLSessionResultTransport

/// The downloads of this process that are running, at most one to each destination.
final class RunningDownloads: Sendable {
    private struct Download {
        var isCancelled = false

        /// What ends the waits of those downloads that begin after this one.
        var ends: [AwaitedValue<Void>] = []
    }

    private enum Beginning { case begun, occupied, later(AwaitedValue<Void>) }

    private let downloads = Locked<[String: Download]>([:])

    /// Runs a download. If another one to its destination is running and is cancelled, this one waits for its end.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - lock: The lock file. Downloads with the same lock file use the same names, so one of them runs at a time.
    ///   - download: The download.
    /// - Returns: What the download returns, or the error of a destination to which another one is running.
    func run<Success>(
        to destination: URL, locking lock: URL, _ download: () async -> Result<Success, NetworkError>
    ) async -> Result<Success, NetworkError> {
        let place = lock.placeInFolder
        while !Task.isCancelled {
            switch begin(at: place) {
            case .begun:
                defer { end(at: place) }
                return await withTaskCancellationHandler(operation: download) { cancel(at: place) }
            case .occupied:
                return .failure(.occupied(destination))
            case .later(let end):
                await end.value()
            }
        }
        return .failure(.transportError(code: .cancelled))
    }

    private func begin(at place: String) -> Beginning {
        downloads.withLock { downloads in
            guard let other = downloads[place] else {
                downloads[place] = Download()
                return .begun
            }
            guard other.isCancelled else { return .occupied }
            let end = AwaitedValue<Void>()
            downloads[place]?.ends.append(end)
            return .later(end)
        }
    }

    private func cancel(at place: String) {
        downloads.withLock { $0[place]?.isCancelled = true }
    }

    private func end(at place: String) {
        let download = downloads.withLock { $0.removeValue(forKey: place) }
        for end in download?.ends ?? [] { end.give(()) }
    }
}

extension URL {
    /// The path of a file, the same through each link to its folder. Its last part is not resolved: on Linux, that happens only if
    /// something has the name already.
    fileprivate var placeInFolder: String {
        let folder = standardizedFileURL.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appendingPathComponent(lastPathComponent).path
    }
}

import Foundation
internal import URLSessionResultTransport

/// The downloads of this process that are running, at most one to each destination.
final class RunningDownloads: Sendable {
    private struct Download {
        var isCancelled = false

        /// The downloads that begin when this one has ended.
        var ends: [AwaitedValue<Void>] = []
    }

    private enum Beginning { case begun, occupied, later(AwaitedValue<Void>) }

    private let downloads = Locked<[String: Download]>([:])

    /// Runs a download, after the end of another one to its destination if that is cancelled.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - lock: What other processes find locked. Downloads that have one lock use the same names.
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
    /// The path of a file, the same through each link to its folder. The last part of a path is not resolved on Linux if nothing has the
    /// name yet.
    fileprivate var placeInFolder: String {
        let folder = standardizedFileURL.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appendingPathComponent(lastPathComponent).path
    }
}

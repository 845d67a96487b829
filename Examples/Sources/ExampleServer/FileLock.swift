import Foundation

/// A lock between processes. The system releases it when its holder ends, even by a crash.
enum FileLock {
    static func holding<T>(_ file: URL, _ body: () throws -> T) throws -> T {
        let descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemError() }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw systemError() }
        return try body()
    }

    private static func systemError() -> any Error {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}

import Dispatch
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
#error("URLSessionResult needs the C library of Apple's platforms (Darwin), of Linux (Glibc or Musl) or of Android.")
#endif

/// The functions of the C library that the library needs.
///
/// No other file calls the C library: its module has another name on each platform, and Foundation does not re-export it everywhere.
package enum SystemCalls {
    /// Why the latest call failed.
    private static var latestError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// Renames a file in one step. An existing file of the new name is replaced.
    package static func renameFile(at path: String, to newPath: String) throws(POSIXError) {
        guard rename(path, newPath) == 0 else { throw latestError }
    }

    /// Why the process may not create files in a folder, or nil if it may.
    package static func reasonAgainstCreatingFiles(in folder: String) -> POSIXErrorCode? {
        access(folder, W_OK | X_OK) == 0 ? nil : latestError.code
    }

    /// Why nothing is found at a path, or nil if there is something, even a symbolic link to nothing.
    ///
    /// On Apple's platforms, an app has to give reasons for `lstat`:
    /// https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
    package static func reasonAgainstFinding(_ path: String) -> POSIXErrorCode? {
        var firstCharacter: CChar = 0
        let isLink = readlink(path, &firstCharacter, 1) >= 0
        // EINVAL: there is something else.
        return isLink || errno == EINVAL ? nil : latestError.code
    }

    /// The system's English sentence for an error, such as "Permission denied".
    package static func message(for code: POSIXErrorCode) -> String {
        String(cString: strerror(code.rawValue))
    }

    /// Removes the name of a file, which is gone when its last descriptor is closed. A folder stays.
    package static func removeName(_ path: String) {
        unlink(path)
    }

    /// Creates a file that only this user may open, for writing and reading: a body may be confidential.
    ///
    /// - Parameter path: The path. There must be no file yet.
    /// - Returns: The file, which is not passed on to other programs.
    /// - Throws: The reason why there is no file.
    package static func createFile(at path: String) throws(POSIXError) -> FileHandle {
        try openFile(at: path, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file for writing and reading, or creates it as ``createFile(at:)`` does. A symbolic link is not followed.
    package static func openOrCreateFile(at path: String) throws(POSIXError) -> FileHandle {
        try openFile(at: path, O_RDWR | O_CREAT | O_NOFOLLOW)
    }

    private static func openFile(at path: String, _ flags: CInt) throws(POSIXError) -> FileHandle {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw latestError }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Locks a file until it is closed, or until the process ends. Some volumes have no locks: there, it succeeds for everybody.
    ///
    /// - Returns: Whether nobody else, in this process or in another, has locked it.
    package static func lock(_ file: FileHandle) throws(POSIXError) -> Bool {
        while flock(file.fileDescriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EWOULDBLOCK: return false
            case ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL: return true
            case EINTR: continue
            default: throw latestError
            }
        }
        return true
    }

    /// Opens a file for reading, which waits for nobody: a pipe is open before it has a writer.
    ///
    /// - Returns: The file, which is not passed on to other programs.
    /// - Throws: The reason why it cannot be opened.
    static func openFile(at path: String) throws(POSIXError) -> FileHandle {
        while true {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 { return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
            guard errno == EINTR else { throw latestError }
        }
    }

    /// Makes a pipe within this process.
    static func makePipe() throws(POSIXError) -> (readEnd: FileHandle, writeEnd: FileHandle) {
        var descriptors: [CInt] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw latestError }
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (
            FileHandle(fileDescriptor: descriptors[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: descriptors[1], closeOnDealloc: true)
        )
    }

    /// Waits until one of several files has bytes or is at its end.
    ///
    /// - Returns: The first of them that has or is, or nil when the time is over.
    static func awaitBytes(
        of files: [FileHandle], until end: DispatchTime = .distantFuture
    ) throws(POSIXError) -> FileHandle? {
        // What nobody uses any more may be closed.
        defer { withExtendedLifetime(files) {} }
        while true {
            let now = DispatchTime.now().uptimeNanoseconds
            let rest = end.uptimeNanoseconds > now ? end.uptimeNanoseconds - now : 0
            var waits = files.map { pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0) }
            // The time is a number of milliseconds in 32 bits.
            let milliseconds = CInt(clamping: rest / 1_000_000 + (rest % 1_000_000 == 0 ? 0 : 1))
            let count = poll(&waits, nfds_t(waits.count), milliseconds)
            guard count >= 0 || errno == EINTR else { throw latestError }
            if count > 0 { return zip(files, waits).first { $1.revents != 0 }?.0 }
            if rest == 0 { return nil }
        }
    }

    /// Fills memory with the next bytes of a file or a pipe, as many as are at hand.
    ///
    /// - Returns: The number of bytes, which is zero at the end.
    static func readNext(_ bytes: UnsafeMutableRawBufferPointer, of descriptor: CInt) throws(POSIXError) -> Int {
        while true {
            let result = Foundation.read(descriptor, bytes.baseAddress, bytes.count)
            if result >= 0 { return result }
            guard errno == EINTR else { throw latestError }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Finds the first character of ASCII in a range. The system compares many bytes at once.
    package func firstPosition(of character: Unicode.Scalar, in range: Range<Int>) -> Int? {
        guard let start = baseAddress,
            let found = memchr(start + range.lowerBound, CInt(bitPattern: character.value), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }
}

#if canImport(FoundationNetworking)

// What only the code for Linux needs.
extension SystemCalls {
    /// Finds a function of a library that is loaded, or of one that this library is linked with.
    ///
    /// - Returns: The function, or nil if the library is not loaded, or there is no such function.
    static func function(_ name: String, ofLoadedLibrary library: String) -> UnsafeMutableRawPointer? {
        // Never closed: FoundationNetworking is loaded until the process ends.
        guard let handle = dlopen(library, RTLD_NOLOAD | RTLD_NOW) else { return nil }
        return dlsym(handle, name)
    }

    /// Whether libcurl may use a proxy for https. It reads the environment for each connection, and compares hosts with `no_proxy`.
    static var hasProxyForTLS: Bool {
        let names: [String] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.contains { name in
            guard let proxy = getenv(name) else { return false }
            // An empty one is none.
            return proxy.pointee != 0
        }
    }

    /// The length of a file in bytes, or nil if it is a folder, a pipe or a device.
    static func lengthOfRegularFile(_ descriptor: CInt) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    static var userIdentifier: UInt32 { getuid() }

    /// The length of a regular file in bytes, or of the one that a link leads to. Nil if it is something else.
    ///
    /// - Throws: The reason why nothing is known of it, for example that there is nothing.
    static func lengthOfRegularFile(at path: String) throws(POSIXError) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { throw latestError }
        return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    /// Who may read, write and execute a file, or nil if there is none.
    static func mode(ofFileAt path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Finds the mode that the system gives a new file. Nothing else tells it: `umask` sets what it returns.
    ///
    /// - Parameter path: The path of a file that is created and removed.
    /// - Returns: The mode, or nil if no file can be created.
    static func mode(ofNewFileAt path: String) -> mode_t? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return nil }
        defer {
            close(descriptor)
            removeName(path)
        }
        return mode(ofFileAt: path)
    }

    /// Sets a mode, unless the volume has none.
    static func setMode(_ mode: mode_t, ofFileAt path: String) {
        chmod(path, mode)
    }

    /// Writes all bytes at a position of a file. The system may write fewer at once.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at position: Int) throws(POSIXError) {
        var count = 0
        while count < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
            let result = pwrite(descriptor, rest.baseAddress, rest.count, position + count)
            guard result > 0 || result < 0 && errno == EINTR else { throw latestError }
            count += max(result, 0)
        }
    }

    /// Fills memory with the bytes at a position of a file.
    ///
    /// - Returns: The number of bytes, which is lower if the file ends before.
    static func read(
        _ bytes: UnsafeMutableRawBufferPointer, of descriptor: CInt, at position: Int
    ) throws(POSIXError) -> Int {
        var count = 0
        while count < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
            let result = pread(descriptor, rest.baseAddress, rest.count, position + count)
            if result == 0 { break }
            guard result > 0 || errno == EINTR else { throw latestError }
            count += max(result, 0)
        }
        return count
    }
}

#endif

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
    /// - Returns: The first file that has bytes or is at its end, or nil when the time is over.
    static func awaitBytes(
        of files: [FileHandle], until end: DispatchTime = .distantFuture
    ) throws(POSIXError) -> FileHandle? {
        // Without this, a file may be released, and so closed, before the wait has ended.
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
    /// A library that the process has loaded, with those that it is linked with.
    ///
    /// Unchecked, because the handle is only read, and never closed.
    struct Library: @unchecked Sendable {
        private let handle: UnsafeMutableRawPointer

        /// The program, with all libraries that it is linked with.
        static let program = Library(nil, RTLD_NOW)

        /// - Returns: The library if the process has loaded it.
        static func loaded(_ name: String) -> Library? { Library(name, RTLD_NOLOAD | RTLD_NOW) }

        private init?(_ name: String?, _ flags: CInt) {
            guard let handle = dlopen(name, flags) else { return nil }
            self.handle = handle
        }

        func has(_ name: String) -> Bool { dlsym(handle, name) != nil }

        /// - Returns: A function, whose type is that of a C function.
        func function<Function>(_ name: String) throws(POSIXError) -> Function {
            guard let function = dlsym(handle, name) else { throw POSIXError(.ENOSYS) }
            return unsafeBitCast(function, to: Function.self)
        }
    }

    static var processIdentifier: Int32 { getpid() }

    /// - Parameter text: An address in any form that a URL may have: `127.0.0.1` is `127.1`, too.
    /// - Returns: Its 4 or 16 bytes, or nil if it is no address.
    static func bytes(ofAddress text: String) -> [UInt8]? {
        var short = in_addr()
        if inet_aton(text, &short) != 0 { return withUnsafeBytes(of: short) { Array($0) } }
        var long = in6_addr()
        return inet_pton(AF_INET6, text, &long) == 1 ? withUnsafeBytes(of: long) { Array($0) } : nil
    }

    /// Keeps signals from the thread, except those that tell a fault of its own. A write to a closed connection would end the process
    /// (`SIGPIPE`), and the handlers of the program's other signals would run here.
    static func blockSignalsOfThread() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_SETMASK, &signals, nil)
    }

    /// Calls a function whose writes to closed connections do not end the process. For a thread that others use, too.
    static func withoutSIGPIPE(_ work: () -> Void) {
        var signals = sigset_t()
        var formerSignals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, &formerSignals)
        work()
        // One that was held back would come when it is no longer blocked.
        var noTime = timespec()
        while sigtimedwait(&signals, nil, &noTime) == SIGPIPE {}
        pthread_sigmask(SIG_SETMASK, &formerSignals, nil)
    }

    /// Calls a function when the program ends by `exit`, before those that were given before.
    static func callAtExit(_ work: @convention(c) () -> Void) { atexit(work) }

    /// Makes a socket that other programs do not get.
    ///
    /// - Returns: Its descriptor, or -1.
    static func makeSocket(_ family: CInt, _ type: CInt, _ protocol: CInt) -> CInt {
        // SOCK_CLOEXEC, which is the flag of files.
        socket(family, type | O_CLOEXEC, `protocol`)
    }

    /// Writes a byte to a pipe, which must have room: a write to a full pipe waits.
    static func writeByte(to descriptor: CInt) {
        var byte: UInt8 = 1
        while Foundation.write(descriptor, &byte, 1) < 0, errno == EINTR {}
    }

    /// Takes what is in a pipe that has something.
    static func drain(_ descriptor: CInt) {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
            _ = Foundation.read(descriptor, bytes.baseAddress, bytes.count)
        }
    }

    /// Removes a folder, unless something is in it. `FileManager` would remove that, too.
    static func removeEmptyFolder(_ path: String) { _ = rmdir(path) }

    static func isFile(_ path: String) -> Bool { (try? lengthOfRegularFile(at: path)) != nil }

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

extension SystemCalls {
    /// A set of sockets that are watched (`epoll`). It is used on one thread alone.
    ///
    /// Swift's modules of the C libraries do not have these functions, so they are found by their names.
    struct Poll: @unchecked Sendable {
        /// What may be done with a socket.
        struct Event {
            let number: UInt32
            let socket: CInt
            let isReadable: Bool
            let isWritable: Bool
        }

        private typealias Control = @convention(c) (CInt, CInt, CInt, UnsafeMutableRawPointer?) -> CInt
        private typealias Await = @convention(c) (CInt, UnsafeMutableRawPointer?, CInt, CInt) -> CInt

        private struct Functions {
            let create: @convention(c) (CInt) -> CInt
            let control: Control
            let awaitEvents: Await

            init?() {
                guard let program = Library.program else { return nil }
                do {
                    create = try program.function("epoll_create1")
                    control = try program.function("epoll_ctl")
                    awaitEvents = try program.function("epoll_wait")
                } catch {
                    return nil
                }
            }
        }

        private static let functions = Functions()

        /// Whether the system has these functions, and the program can find them.
        static var isSupported: Bool { functions != nil }

        private let descriptor: CInt
        private let control: Control
        private let awaitEvents: Await
        private let events: UnsafeMutableRawPointer

        /// How many events are taken at once.
        private static let count = 256

        // `epoll_event`: what happens, and what belongs to the socket, which is packed on one architecture.
        #if arch(x86_64)
        private static let size = 12
        private static let place = 4
        #else
        private static let size = 16
        private static let place = 8
        #endif

        private static let reading: UInt32 = 1  // EPOLLIN
        private static let writing: UInt32 = 4  // EPOLLOUT
        private static let failing: UInt32 = 8 | 16  // EPOLLERR, EPOLLHUP
        private static let edgeTriggered: UInt32 = 1 << 31  // EPOLLET

        /// - Throws: The reason why there is none, for example that the process has no descriptor left.
        init() throws(POSIXError) {
            guard let functions = Self.functions else { throw POSIXError(.ENOSYS) }
            descriptor = functions.create(O_CLOEXEC)
            guard descriptor >= 0 else { throw latestError }
            control = functions.control
            awaitEvents = functions.awaitEvents
            events = .allocate(byteCount: Self.count * Self.size, alignment: 8)
        }

        /// Watches a socket, or changes what is watched.
        ///
        /// - Parameters:
        ///   - socket: The socket.
        ///   - reading: Whether there is an event when the socket has something to read.
        ///   - writing: Whether there is an event when the socket takes something.
        ///   - onlyChanges: Whether there is one event now, and another one after each change (edge-triggered). Otherwise, there
        ///     are events for as long as the socket is ready.
        ///   - number: What the events are told apart by.
        func watch(_ socket: CInt, reading: Bool, writing: Bool, onlyChanges: Bool = false, as number: UInt32) {
            withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { event in
                let events =
                    (reading ? Self.reading : 0) | (writing ? Self.writing : 0)
                    | (onlyChanges ? Self.edgeTriggered : 0)
                event.storeBytes(of: events, as: UInt32.self)
                event.storeBytes(of: number, toByteOffset: Self.place, as: UInt32.self)
                event.storeBytes(of: socket, toByteOffset: Self.place + 4, as: CInt.self)
                // EPOLL_CTL_ADD, or EPOLL_CTL_MOD if it is watched.
                if control(descriptor, 1, socket, event.baseAddress) != 0, errno == EEXIST {
                    _ = control(descriptor, 3, socket, event.baseAddress)
                }
            }
        }

        func unwatch(_ socket: CInt) {
            withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { event in
                _ = control(descriptor, 2, socket, event.baseAddress)  // EPOLL_CTL_DEL
            }
        }

        /// Waits until something may be done, or the time is over.
        ///
        /// - Parameters:
        ///   - milliseconds: How long to wait. Less than 0: without end.
        ///   - whenAwake: A function that takes the time, before the events are handled.
        ///   - handle: A function that takes an event.
        func await(
            for milliseconds: CInt, _ whenAwake: (_ now: UInt64) -> Void, handling handle: (Event) -> Void
        ) {
            let found = awaitEvents(descriptor, events, CInt(Self.count), milliseconds)
            whenAwake(DispatchTime.now().uptimeNanoseconds)
            for index in 0..<max(Int(found), 0) {
                let event = UnsafeRawPointer(events + index * Self.size)
                let happened = event.loadUnaligned(as: UInt32.self)
                handle(
                    Event(
                        number: event.loadUnaligned(fromByteOffset: Self.place, as: UInt32.self),
                        socket: event.loadUnaligned(fromByteOffset: Self.place + 4, as: CInt.self),
                        isReadable: happened & (Self.reading | Self.failing) != 0,
                        isWritable: happened & (Self.writing | Self.failing) != 0))
            }
        }
    }
}

#endif

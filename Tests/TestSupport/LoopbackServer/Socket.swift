import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A TCP socket on loopback, closed when the last reference goes.
final class Socket: @unchecked Sendable {
    // Unchecked because `lock` guards `descriptor`: a server that stops shuts sockets down while their threads use
    // them.
    private let lock = NSLock()
    private var descriptor: Int32

    /// A system call that failed.
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        #if canImport(Darwin)
        setOption(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
    }

    deinit {
        close()
    }

    private static func tcp(at address: Address) throws -> Socket {
        _ = processLimits
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let family = address == .version4 ? AF_INET : AF_INET6
        return Socket(adopting: try check("socket") { makeSocket(family, stream, 0) })
    }

    /// Whether the machine has an address of version 6.
    static let hasVersion6 = (try? listening(at: .version6)) != nil

    /// Listens on a port that the system chooses.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - backlog: How many connections may wait until they are accepted. Linux takes one more.
    /// - Returns: The socket.
    /// - Throws: `Failure` when the system has no socket or port to give.
    static func listening(at address: Address = .version4, backlog: Int32 = 512) throws -> Socket {
        let socket = try tcp(at: address)
        try withUnsafeSocketAddress(of: address, port: 0) { address, length in
            try check("bind") { bind(socket.descriptor, address, length) }
        }
        try check("listen") { listen(socket.descriptor, backlog) }
        return socket
    }

    static func connected(to port: UInt16, at address: Address = .version4) throws -> Socket {
        let socket = try tcp(at: address)
        try withUnsafeSocketAddress(of: address, port: port) { address, length in
            try check("connect") { connect(socket.descriptor, address, length) }
        }
        socket.sendAtOnce()
        return socket
    }

    /// The port that a listening socket was given.
    func port() throws -> UInt16 {
        // An address of version 4 is shorter, and has its port in the same place.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        try withUnsafeSocketAddress(of: &address) { address, _ in
            try check("getsockname") { getsockname(descriptor, address, &length) }
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    func accept() throws -> Socket {
        let accepted = Socket(adopting: try check("accept") { acceptConnection(descriptor, nil, nil) })
        accepted.sendAtOnce()
        return accepted
    }

    /// Without this, what is sent in small pieces waits for the peer's delayed acknowledgements.
    private func sendAtOnce() { setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1)) }

    /// Waits for bytes and appends at most `count` of them; false once the peer has sent its last one.
    func receive(into buffer: inout Data, atMost count: Int) throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: count)
        let received = try check("recv") { recv(descriptor, &chunk, count, 0) }
        buffer.append(contentsOf: chunk[..<received])
        return received > 0
    }

    func send(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                rest = rest.dropFirst(try check("send") { sendBytes(descriptor, part.baseAddress, part.count) })
            }
        }
    }

    /// Ends both directions, which wakes whoever is blocked on the socket; the descriptor stays valid.
    func shutDown() {
        lock.withLock {
            guard descriptor >= 0 else { return }
            shutDownBothDirections(descriptor)
        }
    }

    /// Closes the socket: an orderly end of stream for the peer.
    func close() {
        lock.withLock {
            guard descriptor >= 0 else { return }
            _ = closeDescriptor(descriptor)
            descriptor = -1
        }
    }

    /// Closes the socket with a reset: whatever the peer has not read yet is lost to it.
    func reset() {
        setOption(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }

    private func setOption<T: BitwiseCopyable>(_ level: Int32, _ name: Int32, _ value: T) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<T>.size))
    }
}

extension Socket {
    /// An address that only this machine reaches.
    enum Address: Sendable {
        case version4, version6

        /// As it stands in a URL.
        var host: String {
            switch self {
            case .version4: "127.0.0.1"
            case .version6: "[::1]"
            }
        }
    }
}

// MARK: - System calls

/// Has the process hold as many descriptors as it may: side by side, the tests open more than some systems give by
/// default.
private let processLimits: Void = {
    #if canImport(Glibc)
    let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let descriptors = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    getrlimit(descriptors, &limit)
    #if canImport(Darwin)
    limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
    // `SO_NOSIGPIPE` cannot be set on a connection that was reset before it was accepted.
    signal(SIGPIPE, SIG_IGN)
    #else
    limit.rlim_cur = limit.rlim_max
    #endif
    setrlimit(descriptors, &limit)
}()

// The members above hide the functions of the same names, and `send` differs in how it holds back SIGPIPE.
private let makeSocket = socket
private let acceptConnection = accept
private let closeDescriptor = close

private func shutDownBothDirections(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
}

private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    send(descriptor, bytes, count, 0)
    #else
    send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}

/// Repeats a call that a signal interrupted, and throws what it failed with.
@discardableResult
private func check<T: SignedInteger>(_ call: String, _ body: () -> T) throws -> T {
    while true {
        let result = body()
        if result >= 0 { return result }
        guard errno == EINTR else { throw Socket.Failure(call: call, code: errno) }
    }
}

private func withUnsafeSocketAddress(
    of address: Socket.Address, port: UInt16,
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) throws -> Void
) rethrows {
    switch address {
    case .version4:
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        try withUnsafeSocketAddress(of: &address, body)
    case .version6:
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        try withUnsafeSocketAddress(of: &address, body)
    }
}

private func withUnsafeSocketAddress<T>(
    of address: inout T,
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) throws -> Void
) rethrows {
    try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
            try body(rebound, socklen_t(MemoryLayout<T>.size))
        }
    }
}

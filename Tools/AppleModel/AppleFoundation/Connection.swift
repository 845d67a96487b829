import Glibc

/// A connection to a server. One transfer uses it at a time.
final class Connection: @unchecked Sendable {
    let origin: String
    private var descriptor: CInt = -1
    /// What was received and is not read.
    var received = Data()
    var hasServed = false

    init(to url: URL) throws {
        origin = url.origin
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let host = url.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) ?? ""
        guard getaddrinfo(host, "\(url.port ?? 80)", &hints, &found) == 0 else {
            throw URLError(.cannotFindHost, at: url)
        }
        defer { freeaddrinfo(found) }
        for address in sequence(first: found?.pointee, next: { $0?.ai_next?.pointee }) {
            guard let address else { break }
            let type = address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue)
            descriptor = socket(address.ai_family, type, address.ai_protocol)
            if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return }
            close()
        }
        throw URLError(.cannotConnectToHost, at: url)
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Ends what another thread waits for.
    func interrupt() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Waits until something may be read or sent.
    ///
    /// - Returns: What may be done, or nothing if the time is over.
    func wait(toSend: Bool, for seconds: TimeInterval) -> (read: Bool, send: Bool) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN | (toSend ? POLLOUT : 0)), revents: 0)
        let count = poll(&entry, 1, CInt(min(seconds * 1000, 1e9)))
        guard count > 0 else { return (false, false) }
        let canRead = entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
        return (canRead, toSend && entry.revents & Int16(POLLOUT) != 0)
    }

    /// - Returns: Whether something was received: false at the end.
    func receive() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw POSIXError(.ECONNRESET) }
        received += bytes[..<count]
        return count > 0
    }

    /// - Returns: The number of bytes that were sent, or nil if none can be sent any more.
    func send(_ bytes: Data) -> Int? {
        let flags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)
        let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
        if count < 0, errno == EAGAIN { return 0 }
        return count < 0 ? nil : count
    }

    /// Whether the server has neither closed it nor said something without being asked.
    var isIdle: Bool { received.isEmpty && !wait(toSend: false, for: 0).read }
}

/// The connections of a session, to each server at most as many as the configuration allows.
final class ConnectionPool: @unchecked Sendable {
    private let condition = NSCondition()
    private var idle: [String: [Connection]] = [:]
    private var usedCounts: [String: Int] = [:]

    func take(to url: URL, for transfer: Transfer) throws -> Connection {
        let origin = url.origin
        var isTaken = false
        var kept: Connection?
        while !isTaken {
            try transfer.waitUntilResumed()
            condition.withLock {
                isTaken = usedCounts[origin, default: 0] < transfer.settings.httpMaximumConnectionsPerHost
                // Not for long: the transfer may be cancelled.
                guard isTaken else { return _ = condition.wait(until: Date() + 0.01) }
                usedCounts[origin, default: 0] += 1
                idle[origin]?.removeAll { !$0.isIdle }
                kept = idle[origin]?.popLast()
            }
        }
        do {
            return try kept ?? Connection(to: url)
        } catch {
            leave(origin)
            throw error
        }
    }

    func giveBack(_ connection: Connection, isReusable: Bool) {
        connection.hasServed = true
        if isReusable {
            condition.withLock { idle[connection.origin, default: []].append(connection) }
        } else {
            connection.close()
        }
        leave(connection.origin)
    }

    private func leave(_ origin: String) {
        condition.withLock {
            usedCounts[origin, default: 1] -= 1
            condition.broadcast()
        }
    }

    func closeIdle() {
        let connections = condition.withLock { idle.removeValues() }
        for connection in connections { connection.close() }
    }
}

extension [String: [Connection]] {
    fileprivate mutating func removeValues() -> [Connection] {
        defer { self = [:] }
        return values.flatMap { $0 }
    }
}

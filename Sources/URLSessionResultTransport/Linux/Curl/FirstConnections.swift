#if canImport(FoundationNetworking)

/// The servers that transfers of libcurl go to, and which of these transfers wait for the first connection.
///
/// Over HTTP/2, all transfers share a connection. Which protocol a server speaks is known when the first connection is there (ALPN, RFC
/// 7301), and until then libcurl would open another one for each transfer. So the first transfer goes ahead, and the others are given to
/// libcurl when that is about to send its request. A kept connection is there at once. If it takes too long, because the one machine
/// that it leads to is stuck, the others go ahead, too.
///
/// `CURLOPT_PIPEWAIT` is for this, but has transfers over HTTP/1.1 wait for the first response, which may take long: with libcurl 7.88
/// those without TLS, with 8.14 those with TLS. And 7.88 leaves some over HTTP/2 waiting when the connection is there.
struct FirstConnections<Server: Hashable, Handle: Equatable> {
    private struct Use {
        /// The transfer that the others wait for. Nil when it has a connection.
        var first: Handle?

        /// When the others go ahead.
        var end: UInt64
        var waiting: [Handle] = []

        /// How many transfers go to the server.
        var count = 1
    }

    private var uses: [Server: Use] = [:]

    /// How long transfers wait for the first connection, in nanoseconds. Most handshakes take less; after that, more connections do no
    /// harm.
    private static var patience: UInt64 { 2_000_000_000 }

    /// When the first of those that wait may go ahead. Nothing is earlier.
    private(set) var nextEnd = UInt64.max

    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - server: Its server.
    ///   - now: The time.
    /// - Returns: Whether the transfer may begin.
    mutating func add(_ transfer: Handle, to server: Server, at now: UInt64) -> Bool {
        guard uses[server] != nil else {
            uses[server] = Use(first: transfer, end: now + Self.patience)
            return true
        }
        uses[server]?.count += 1
        guard uses[server]?.first != nil, let end = uses[server]?.end else { return true }
        nextEnd = min(nextEnd, end)
        uses[server]?.waiting.append(transfer)
        return false
    }

    /// - Returns: Those that have waited too long, and may begin.
    mutating func checkTimes(at now: UInt64) -> [Handle] {
        guard nextEnd <= now else { return [] }
        nextEnd = .max
        var beginning: [Handle] = []
        for (server, use) in uses where !use.waiting.isEmpty {
            if use.end <= now { beginning += release(server) } else { nextEnd = min(nextEnd, use.end) }
        }
        return beginning
    }

    /// A transfer has a connection.
    ///
    /// - Returns: Those that may begin.
    mutating func connected(_ transfer: Handle, to server: Server) -> [Handle] {
        guard uses[server]?.first == transfer else { return [] }
        return release(server)
    }

    /// No transfer waits any more.
    private mutating func release(_ server: Server) -> [Handle] {
        defer { uses[server]?.waiting = [] }
        uses[server]?.first = nil
        return uses[server]?.waiting ?? []
    }

    /// A transfer is taken away.
    ///
    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - server: Its server.
    ///   - endedByLibcurl: Whether libcurl has ended it, without a connection: the others would fail one after the other, maybe slowly.
    /// - Returns: Whether it had begun, and those that may begin now.
    mutating func remove(
        _ transfer: Handle, to server: Server, endedByLibcurl: Bool
    ) -> (hadBegun: Bool, beginning: [Handle]) {
        guard let use = uses[server] else { return (true, []) }
        guard use.count > 1 else {
            uses[server] = nil
            return (true, [])
        }
        uses[server]?.count -= 1
        if let place = use.waiting.firstIndex(of: transfer) {
            uses[server]?.waiting.remove(at: place)
            return (false, [])
        }
        guard use.first == transfer else { return (true, []) }
        if endedByLibcurl { return (true, release(server)) }
        let next = use.waiting.first
        uses[server]?.first = next
        uses[server]?.waiting.removeFirst(next == nil ? 0 : 1)
        return (true, next.map { [$0] } ?? [])
    }
}

#endif

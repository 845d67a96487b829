#if canImport(FoundationNetworking)

import Foundation

/// Connections of one of the callers' sessions (a `CURLM *`). Used on the event loop alone.
final class Connections {
    private let curl: Curl
    private let handle: Curl.Handle
    private unowned let loop: EventLoop
    private var number: UInt32 = 0

    /// The transfers that run or wait for a connection.
    private(set) var loads: [Curl.Handle: CurlLoad] = [:]

    /// Which of them wait for the first connection to their server.
    private var firstConnections = FirstConnections<String, Curl.Handle>()

    /// The transfers that no longer wait for a first connection. `beginWaiting()` gives them to libcurl.
    private var readyToBegin: [Curl.Handle] = []

    /// The transfers that ended while libcurl looked up their hosts. libcurl would block if they were removed now.
    private var endedDuringLookUp: [Curl.Handle: EasyHandle] = [:]

    /// The transfers whose responses a delegate decides about. Their deadlines count until it answers, even if the transfer is over.
    private var askingLoads: [ObjectIdentifier: CurlLoad] = [:]

    private struct WatchedSocket {
        /// `CURL_POLL_…`.
        let event: CInt

        /// The transfer for which it is watched, the latest over HTTP/2.
        let transfer: Curl.Handle
    }

    /// The sockets that libcurl wants to be watched.
    private var watchedSockets: [CInt: WatchedSocket] = [:]

    /// The transfers whose sockets are left unread: see `CurlLoad.readsWhilePaused`. Each has its socket for itself.
    private var unreadTransfers: Set<Curl.Handle> = []

    /// The transfers with which libcurl may stand still: see `CurlLoad.wake()`.
    private var transfersToWake: Set<Curl.Handle> = []

    /// The watched sockets that can be written to, although libcurl has nothing to send. See `checkSending(to:)`.
    private var idleSockets: Set<CInt> = []

    /// How often anything has come or gone, of any transfer.
    private var countOfActions = 0

    /// How many times in a row a socket was readable, and no transfer received or sent anything.
    private var countOfVainReads = 0
    private static let mostVainReads = 100

    /// When libcurl wants to be called, when the first of the transfers may have taken too long, and when one is to be woken. Nothing is
    /// earlier.
    private var timeOfLibcurl = UInt64.max
    private var timeOfLoads = UInt64.max
    private var timeOfWakes = UInt64.max

    /// Nil when the caller has dropped the session.
    private(set) weak var owner: URLSession?

    var isUnused: Bool { loads.isEmpty && askingLoads.isEmpty && endedDuringLookUp.isEmpty }

    /// When there was no transfer any more.
    private(set) var idleSince: UInt64 = 0

    init?(_ curl: Curl, perHost count: Int, for owner: URLSession, on loop: EventLoop) {
        guard let handle = curl.makeMulti() else { return nil }
        self.curl = curl
        self.handle = handle
        self.loop = loop
        self.owner = owner
        number = loop.add(self)
        let this = Unmanaged.passUnretained(self).toOpaque()
        curl.set(.socketData, ofMulti: handle, to: this)
        curl.set(.socketFunction, ofMulti: handle, to: unsafeBitCast(tellSocket, to: UnsafeRawPointer.self))
        curl.set(.timerData, ofMulti: handle, to: this)
        curl.set(.timerFunction, ofMulti: handle, to: unsafeBitCast(tellTimer, to: UnsafeRawPointer.self))
        curl.set(.maxHostConnections, ofMulti: handle, to: count)
        curl.set(.pipelining, ofMulti: handle, to: curl.multiplexes ? 2 : 0)  // CURLPIPE_MULTIPLEX, CURLPIPE_NOTHING
        // Otherwise closing waits for name servers.
        curl.set(.quickExit, ofMulti: handle, to: 1)
    }

    /// Closes the connections. There are no transfers any more, except for those that are only looked up.
    func close() {
        isClosing = true
        // The event loop keeps these connections until the look-ups have ended.
        guard endedDuringLookUp.isEmpty else { return }
        loop.remove(number)
        watchedSockets.keys.forEach(loop.unwatch)
        curl.set(.socketFunction, ofMulti: handle, to: nil as UnsafeRawPointer?)
        curl.set(.timerFunction, ofMulti: handle, to: nil as UnsafeRawPointer?)
        curl.close(handle)
    }

    private var isClosing = false

    // MARK: Transfers

    func add(_ load: CurlLoad, _ easy: EasyHandle) -> Bool {
        loads[easy.handle] = load
        if load.mayStandStill { transfersToWake.insert(easy.handle) }
        timeOfLoads = min(timeOfLoads, load.deadline)
        loop.checkTimes(at: timeOfLoads)
        if let server = server(of: load), !firstConnections.add(easy.handle, to: server, at: loop.now) {
            loop.checkTimes(at: firstConnections.nextEnd)
            return true
        }
        // libcurl sets its timer to begin: see `setTimer(_:)` and `checkTimes()`.
        return curl.add(handle, easy.handle) == 0
    }

    /// The server whose first connection is waited for.
    private func server(of load: CurlLoad) -> String? { curl.multiplexes ? load.sharedServer : nil }

    /// A transfer has a connection, and is about to send its request.
    func connected(_ load: CurlLoad, _ easy: EasyHandle) {
        // libcurl accepts no new transfers while it is calling a function of ours.
        if let server = load.sharedServer { readyToBegin += firstConnections.connected(easy.handle, to: server) }
    }

    private func beginWaiting() {
        guard !readyToBegin.isEmpty else { return }
        let ready = readyToBegin
        readyToBegin = []
        for easy in ready {
            guard let load = loads[easy], curl.add(handle, easy) != 0 else { continue }
            load.completed(with: .failedInitialization)
        }
    }

    /// Takes a transfer away.
    ///
    /// - Parameters:
    ///   - easy: The transfer.
    ///   - endedByLibcurl: Whether it has ended by itself. Otherwise libcurl may be at work.
    func remove(_ easy: EasyHandle, endedByLibcurl: Bool) {
        guard let load = loads.removeValue(forKey: easy.handle) else { return }
        unreadTransfers.remove(easy.handle)
        transfersToWake.remove(easy.handle)
        if let server = server(of: load) {
            let removal = firstConnections.remove(easy.handle, to: server, endedByLibcurl: endedByLibcurl)
            guard removal.hadBegun else { return noteRemoval() }
            readyToBegin += removal.beginning
        }
        if !endedByLibcurl { easy.closeConnection() }
        if !endedByLibcurl, easy.isHeldByLookUp {
            easy.mute()
            endedDuringLookUp[easy.handle] = easy
        } else {
            takeAway(easy)
        }
        beginWaiting()
    }

    private func takeAway(_ easy: EasyHandle) {
        _ = curl.remove(handle, easy.handle)
        noteRemoval()
    }

    private func noteIfUnused() {
        guard isUnused else { return }
        idleSince = loop.now
        loop.noteUnused()
    }

    private func noteRemoval() {
        noteIfUnused()
        // Another transfer may have waited for this connection. From some version 8.x on, libcurl does not notice that it is free.
        scheduleLibcurl(at: loop.now)
    }

    // MARK: What libcurl asks for

    /// Notes that libcurl is to be called at some time.
    private func scheduleLibcurl(at time: UInt64) {
        timeOfLibcurl = time
        loop.checkTimes(at: time)
    }

    fileprivate func setTimer(_ milliseconds: Int) {
        if milliseconds < 0 {
            timeOfLibcurl = .max
        } else {
            scheduleLibcurl(at: loop.now + UInt64(milliseconds) * 1_000_000)
        }
    }

    fileprivate func watch(_ socket: CInt, _ event: CInt, for transfer: Curl.Handle) {
        loop.waitForeverIfProgramEnds()
        idleSockets.remove(socket)
        if event & (Self.readable | Self.writable) == 0 {
            // CURL_POLL_REMOVE
            watchedSockets[socket] = nil
            loop.unwatch(socket)
        } else {
            watchedSockets[socket] = WatchedSocket(event: event, transfer: transfer)
            watch(socket, onlyChanges: false)
        }
    }

    // CURL_POLL_IN and CURL_CSELECT_IN, CURL_POLL_OUT and CURL_CSELECT_OUT.
    private static let readable: CInt = 1
    private static let writable: CInt = 2

    private func watch(_ socket: CInt, onlyChanges: Bool) {
        guard let watched = watchedSockets[socket] else { return }
        let reads = watched.event & Self.readable != 0 && !unreadTransfers.contains(watched.transfer)
        let writes = watched.event & Self.writable != 0
        // Otherwise there would be an event for as long as the server has closed the connection.
        guard reads || writes else { return loop.unwatch(socket) }
        loop.watch(socket, reading: reads, writing: writes, onlyChanges: onlyChanges, as: number)
    }

    /// Leaves what comes for a transfer in its socket, or lets libcurl read it.
    func setReading(_ reads: Bool, for easy: EasyHandle) {
        if reads { unreadTransfers.remove(easy.handle) } else { unreadTransfers.insert(easy.handle) }
        for (socket, watched) in watchedSockets where watched.transfer == easy.handle {
            watch(socket, onlyChanges: idleSockets.contains(socket))
        }
    }

    func handle(_ event: SystemCalls.Poll.Event) {
        let formerCount = countOfActions
        callLibcurl(event.socket, (event.isReadable ? Self.readable : 0) | (event.isWritable ? Self.writable : 0))
        guard event.isReadable else { return checkSending(to: event.socket) }
        watchIdleSockets()
        checkReading(isVain: countOfActions == formerCount)
    }

    /// Something of a transfer has come or gone.
    func noteAction() { countOfActions += 1 }

    /// If libcurl has nothing to send on a socket that can be written to, watches the socket for changes only.
    ///
    /// Over HTTP/2, libcurl before 8 asks when the socket takes something for as long as an upload lasts, even if the server lets it send
    /// no more for now. The socket always does, and the loop would never rest. So if nothing was sent, the loop waits for a change of
    /// the socket: that it has something to read, or that it was full and takes something again. If anything else happens, libcurl gets
    /// what it has asked for.
    private func checkSending(to socket: CInt) {
        let uploads = loads.values.filter(\.isSending)
        // Each notes what it has sent, so all are asked.
        let sendingCount = uploads.filter { $0.hasSentMore() }.count
        guard !uploads.isEmpty, sendingCount == 0 else { return watchIdleSockets() }
        guard let event = watchedSockets[socket]?.event, event & Self.writable != 0 else { return }
        if idleSockets.insert(socket).inserted { return watch(socket, onlyChanges: true) }
        if event & Self.readable == 0 { endAnsweredUploads() }
    }

    /// Notices that libcurl leaves unread what a socket has to read. Some versions still ask to be told about the socket.
    private func checkReading(isVain: Bool) {
        countOfVainReads = isVain ? countOfVainReads + 1 : 0
        if countOfVainReads >= Self.mostVainReads { endAnsweredUploads() }
    }

    /// Ends the uploads whose responses are whole.
    ///
    /// libcurl before 8 does not read any more when the body of the response is whole, as its `Content-Length` says. So it does not hear
    /// that the server lets it send more, or needs no more, and the rest of the upload will not be sent.
    private func endAnsweredUploads() {
        for load in loads.values where load.isAnsweredUpload { load.completed(with: .ok) }
    }

    private func watchIdleSockets() {
        guard !idleSockets.isEmpty else { return }
        for socket in idleSockets { watch(socket, onlyChanges: false) }
        idleSockets = []
    }

    private func callLibcurl(_ socket: CInt, _ events: CInt) {
        guard !transfersToWake.isEmpty else { return perform(socket, events) }
        let wantedToSend = watchedSockets.values.contains { $0.event & Self.writable != 0 }
        perform(socket, events)
        for easy in transfersToWake {
            loads[easy]?.noteCall(mayRead: events != Self.writable, wantedToSend: wantedToSend)
        }
    }

    /// Notes when to wake a transfer.
    func noteWake(at time: UInt64) {
        timeOfWakes = min(timeOfWakes, time)
        loop.checkTimes(at: time)
    }

    private func wakeTransfers() {
        timeOfWakes = .max
        for easy in transfersToWake {
            // One at a time: what tells a transfer to read is one value of its connection (`cselect_bits`), and the transfer that runs first
            // takes it.
            if let load = loads[easy], load.timeOfWake <= loop.now, load.wake() {
                timeOfLibcurl = .max
                perform(-1, 0)
            }
            timeOfWakes = min(timeOfWakes, loads[easy]?.timeOfWake ?? .max)
        }
    }

    private func perform(_ socket: CInt, _ events: CInt) {
        var running: CInt = 0
        _ = curl.performSocketAction(handle, socket, events, &running)
        beginWaiting()
        var left: CInt = 0
        while let message = curl.readMessage(handle, &left) {
            // `CURLMsg`: its kind, the transfer, and its result.
            guard message.load(as: CInt.self) == 1,  // CURLMSG_DONE
                let easy = message.load(fromByteOffset: 8, as: Curl.Handle?.self)
            else { continue }
            if let load = loads[easy] {
                load.completed(with: CurlCode(rawValue: message.load(fromByteOffset: 16, as: CInt.self)))
            } else if let easy = endedDuringLookUp.removeValue(forKey: easy) {
                takeAway(easy)
            }
        }
    }

    /// Lets libcurl do what it is time for, and ends transfers that take too long.
    ///
    /// - Returns: When to look again.
    func checkTimes() -> UInt64 {
        if isClosing, endedDuringLookUp.isEmpty {
            close()
            return .max
        }
        // Often it asks to be called at once again.
        for _ in 0..<4 where timeOfLibcurl <= loop.now {
            timeOfLibcurl = .max
            callLibcurl(-1, 0)  // CURL_SOCKET_TIMEOUT
            watchIdleSockets()
        }
        if timeOfWakes <= loop.now { wakeTransfers() }
        readyToBegin += firstConnections.checkTimes(at: loop.now)
        beginWaiting()
        if timeOfLoads <= loop.now {
            timeOfLoads = .max
            for load in Array(loads.values) + askingLoads.values {
                if load.deadline <= loop.now { load.isTooLate() } else { timeOfLoads = min(timeOfLoads, load.deadline) }
            }
        }
        return min(timeOfLibcurl, timeOfLoads, timeOfWakes, firstConnections.nextEnd)
    }

    /// Looks at the deadline of a transfer whose response a delegate judges.
    func keepDeadline(of load: CurlLoad) {
        askingLoads[ObjectIdentifier(load)] = load
        checkEarlier(load)
    }

    func forgetDeadline(of load: CurlLoad) {
        guard askingLoads.removeValue(forKey: ObjectIdentifier(load)) != nil else { return }
        noteIfUnused()
    }

    /// Looks at a deadline that may be the earliest now.
    func checkEarlier(_ load: CurlLoad) {
        timeOfLoads = min(timeOfLoads, load.deadline)
        loop.checkTimes(at: timeOfLoads)
    }
}

private let tellSocket:
    @convention(c) (Curl.Handle?, CInt, CInt, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CInt = {
        transfer, socket, event, connections, _ in
        guard let transfer, let connections else { return 0 }
        Unmanaged<Connections>.fromOpaque(connections).takeUnretainedValue().watch(socket, event, for: transfer)
        return 0
    }

private let tellTimer: @convention(c) (Curl.Handle?, Int, UnsafeMutableRawPointer?) -> CInt = {
    _, milliseconds, connections in
    guard let connections else { return 0 }
    Unmanaged<Connections>.fromOpaque(connections).takeUnretainedValue().setTimer(milliseconds)
    return 0
}

/// The connections of all callers' sessions. Used on the event loop alone.
struct ConnectionsPool {
    struct Key: Hashable {
        let owner: ObjectIdentifier

        /// Streams last long, and would keep others from their connections.
        let isForStreams: Bool

        /// See `LibcurlDifferences.mixesDigestWithOthers`.
        let isForDigest: Bool
    }

    /// How long connections without transfers are left alone, in nanoseconds. They are looked at by a timer, because nothing reports
    /// that a session was released.
    private static let pause: UInt64 = 2_000_000_000

    /// When to look for those that nobody needs any more.
    private(set) var nextLook = UInt64.max

    /// libcurl uses no connection again that was idle for 118 seconds.
    private static let patience: UInt64 = 120_000_000_000

    private var connections: [Key: Connections] = [:]

    /// From this number on, a new session's first request closes connections that nobody needs, without waiting for the pause: a program
    /// may make sessions faster than that.
    private var limit = leastLimit
    private static let leastLimit = 16

    mutating func connections(for key: Key, of owner: URLSession, _ curl: Curl, on loop: EventLoop) -> Connections? {
        // A new session may have the identity of one that is gone.
        if let known = connections[key] {
            if known.owner === owner { return known }
            connections[key] = nil
            known.close()
        }
        if connections.count >= limit { closeUnused(on: loop) }
        let new = Connections(curl, perHost: owner.configuration.httpMaximumConnectionsPerHost, for: owner, on: loop)
        connections[key] = new
        return new
    }

    /// Connections have no transfer any more.
    mutating func noteUnused(at now: UInt64) { nextLook = min(nextLook, now + Self.pause) }

    /// Closes the connections that nobody needs any more, if it is time to look.
    mutating func checkTimes(on loop: EventLoop) {
        guard nextLook <= loop.now else { return }
        closeUnused(on: loop)
        nextLook = connections.values.contains { $0.isUnused } ? loop.now + Self.pause : .max
    }

    private mutating func closeUnused(on loop: EventLoop) {
        for (key, connections) in connections where connections.isUnused {
            if let owner = connections.owner {
                // Reading the weak reference keeps the session, so this may be its last reference.
                loop.releaseElsewhere(owner)
                guard connections.idleSince + Self.patience < loop.now else { continue }
            }
            connections.close()
            self.connections[key] = nil
        }
        limit = max(2 * connections.count, Self.leastLimit)
    }
}

#endif

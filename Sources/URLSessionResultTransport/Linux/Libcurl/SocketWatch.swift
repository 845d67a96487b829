#if canImport(FoundationNetworking)

import Foundation

/// What FoundationNetworking watches of the sockets of a session: no more than libcurl waits for.
///
/// FoundationNetworking makes a dispatch source for what libcurl waits for, and cancels it only when libcurl gives the socket back
/// (`_SocketSources` only adds). While a connection is made or a body is sent, libcurl waits until it may write, and a socket may be
/// written to nearly always. So the work queue of all sessions would turn without pause until the response is whole. A function between
/// the two gives the socket back whenever libcurl waits for something else.
enum SocketWatch {
    /// What libcurl calls on the work queue when it waits for something else (`CURLMOPT_SOCKETFUNCTION`).
    ///
    /// Its arguments are a transfer that uses the socket, the socket, what libcurl waits for, and two pointers of
    /// FoundationNetworking: its `_MultiHandle`, and one for the sources of the socket, which is nil if it has none.
    typealias Function =
        @Sendable @convention(c) (
            Libcurl.Handle?, CInt, _ event: CInt, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> CInt

    // The numbers of curl.h, which never change.
    private static let reading: CInt = 1  // CURL_POLL_IN
    private static let writing: CInt = 2  // CURL_POLL_OUT
    private static let nothingAnyMore: CInt = 4  // CURL_POLL_REMOVE

    /// Lets a session watch its sockets exactly. It must not have had a request.
    ///
    /// - Returns: Whether it does. Otherwise it watches them as FoundationNetworking does.
    @discardableResult
    static func becomeExact(in session: URLSession, _ names: LibcurlNames = LibcurlNames()) -> Bool {
        guard byFoundationNetworking != nil, let libcurl = Libcurl.loaded,
            let multi = session.libcurlMultiHandle(names)
        else { return false }
        return libcurl.setSocketFunction(of: multi, to: exact)
    }

    private static let exact: Function = { transfer, socket, event, multiHandle, sources in
        guard let function = byFoundationNetworking else { return 0 }
        guard sources != nil else {
            // libcurl may have begun to look up the host.
            if let transfer { Libcurl.loaded?.leaveNameServer(in: transfer) }
            return function(transfer, socket, event, multiHandle, nil)
        }
        // Of both, there is no source too many.
        guard event == reading || event == writing else {
            return function(transfer, socket, event, multiHandle, sources)
        }
        // Workaround: busyWait
        // This releases the sources, and the next call makes new ones.
        _ = function(transfer, socket, nothingAnyMore, multiHandle, sources)
        return function(transfer, socket, event, multiHandle, nil)
    }

    /// FoundationNetworking's function, which is that of all sessions. Nil if it cannot be found.
    private static let byFoundationNetworking = Libcurl.loaded.flatMap { libcurl in
        idleSession.libcurlMultiHandle().flatMap { find(in: $0, libcurl) }
    }

    /// Finds the function of a handle that has no transfers. libcurl tells nobody what it is.
    ///
    /// Another one takes its place for a moment, which shows where the handle has it. Nobody calls that one: the session never has a
    /// request.
    private static func find(in multi: Libcurl.Handle, _ libcurl: Libcurl) -> Function? {
        // From 7.88 to 8.23, the function is one of the first 21, and the handle has more than 50.
        let words = UnsafeBufferPointer(start: multi.assumingMemoryBound(to: Int.self), count: 32)
        let former = Array(words)
        guard libcurl.setSocketFunction(of: multi, to: exact) else { return nil }
        let address = unsafeBitCast(exact, to: Int.self)
        guard let place = words.indices.first(where: { words[$0] == address && former[$0] != address }) else {
            return nil
        }
        let function = unsafeBitCast(former[place], to: Function?.self)
        return libcurl.setSocketFunction(of: multi, to: function) ? function : nil
    }
}

extension Libcurl {
    func setSocketFunction(of multi: Handle, to function: SocketWatch.Function?) -> Bool {
        setPointerOfMulti(multi, 20_001, unsafeBitCast(function, to: Handle?.self)) == 0  // CURLMOPT_SOCKETFUNCTION
    }

    /// Lets a transfer end while its host is looked up. Otherwise libcurl waits for the thread that asks a name server, and with it
    /// the work queue.
    fileprivate func leaveNameServer(in transfer: Handle) {
        // Workaround: silentNameServer
        _ = setNumber(transfer, 322, 1)  // CURLOPT_QUICK_EXIT
    }
}

#endif

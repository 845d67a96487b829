#if canImport(FoundationNetworking)

import Foundation

extension URLSession {
    /// Gives libcurl a turn, soon. From some version of 8 on, it lets no waiting request begin when another one is taken away, until
    /// something else happens in the session.
    func letNextRequestBegin() {
        // Workaround: waitingRequest
        onWorkQueue { [self] in
            guard let libcurl = Libcurl.loaded, let multi = libcurlMultiHandle(), let easy = libcurl.makeEasy() else {
                return
            }
            // libcurl asks FoundationNetworking for the turn, and has forgotten the handle by then.
            _ = libcurl.addEasy(multi, easy)
            _ = libcurl.removeEasy(multi, easy)
            libcurl.freeEasy(easy)
        }
    }

    /// Prepares the session for its end, on the work queue. It must have no requests, and gets none any more.
    ///
    /// When libcurl closes connections with TLS at the end (8.9 and later), it calls FoundationNetworking, which keeps the object
    /// that is being released, and crashes.
    ///
    /// - Returns: Whether the session may be released.
    func mayBeReleased() -> Bool {
        guard let libcurl = Libcurl.loaded, let multi = libcurlMultiHandle() else { return false }
        return libcurl.setSocketFunction(of: multi, to: nil)
            && libcurl.setPointerOfMulti(multi, 20_004, nil) == 0  // CURLMOPT_TIMERFUNCTION
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation

extension URLSession {
    /// Prepares the session for its end, on the work queue. It must have no requests, and gets none any more.
    ///
    /// When libcurl closes connections with TLS at the end (8.9 and later), it calls FoundationNetworking, which keeps the object
    /// that is being released, and crashes.
    ///
    /// - Returns: Whether the session may be released.
    func mayBeReleased() -> Bool {
        guard let libcurl = Libcurl.loaded, let multi = libcurlMultiHandle() else { return false }
        return libcurl.setPointerOfMulti(multi, 20_001, nil) == 0  // CURLMOPT_SOCKETFUNCTION
            && libcurl.setPointerOfMulti(multi, 20_004, nil) == 0  // CURLMOPT_TIMERFUNCTION
    }
}

#endif

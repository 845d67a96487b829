#if canImport(FoundationNetworking)

import Foundation

/// What the versions of libcurl do differently. The values here are those of the newest.
struct LibcurlDifferences: Equatable, Sendable {
    /// Whether a transfer that is taken from its connections leaves the thread that asks a name server for its host. libcurl before 7.87
    /// waits for that thread, and the event loop would with it.
    var leavesLookUps = true

    /// Whether libcurl has a connection and asks before it sends a request: from 7.80 on.
    var asksBeforeRequest = true

    /// Whether libcurl may read on while a transfer is paused (8.5 asks for its socket: `cf_socket_adjust_pollset`), and drop what it has
    /// kept when the connection ends (`readwrite_data`: `keepon = 0`): from 8.3 to 8.7.
    var readsWhilePaused = false

    /// Whether libcurl may stand still with an upload over HTTP/2 if it reads that the stream has ended (`http2_recv`), or that the server lets
    /// it send more (`http2_getsock`), while it works on another transfer of the connection: before 7.88.
    var forgetsUploads = false

    /// What libcurl does when a stream of HTTP/2 ends as it sends the last of the request, because the response has ended before.
    enum EndWhileSending {
        case endsTransfer

        /// It notices the end when it reads the next time (`on_stream_close`): from 7.88 to 8.0.
        case waits

        /// It says that it cannot send, and may not have given all of the body: from 8.3 to 8.6.
        case failsAndMayCut

        /// It says that it cannot send (`cf_h2_send`): from 8.7 on.
        case fails
    }

    var endWhileSending = EndWhileSending.fails

    /// Whether libcurl notes in a connection that it leaves out the body of a request, because a challenge of Digest is to come
    /// (`conn->bits.authneg`): before 8.7. It leaves out the body of another request on that connection, too, if that has no credential.
    var mixesDigestWithOthers = false

    /// Whether libcurl may put a request on a connection of HTTP/1.1 that another request uses, if it has last heard of HTTP/2 from the server
    /// (`ConnectionExists`): before 8.5. Each might get the response to the other.
    var sharesHTTP1 = false

    /// The port of a proxy whose URL names none: before 8.21, that of SOCKS.
    var defaultPortOfProxy = 80
}

extension LibcurlDifferences {
    /// - Parameters:
    ///   - version: A version of libcurl, such as `8.14.1`.
    ///   - knows: Whether it takes an option. What an option tells is not guessed from the version.
    init(version: String, knows: (Curl.Option) -> Bool) {
        func isBefore(_ other: String) -> Bool { version.compare(other, options: .numeric) == .orderedAscending }
        leavesLookUps = knows(.quickExit)
        asksBeforeRequest = knows(.prereqFunction)
        readsWhilePaused = !isBefore("8.3") && isBefore("8.8")
        forgetsUploads = isBefore("7.88")
        endWhileSending =
            if !isBefore("8.7") {
                .fails
            } else if !isBefore("8.3") {
                .failsAndMayCut
            } else if !isBefore("8.1") || isBefore("7.88") {
                .endsTransfer
            } else {
                .waits
            }
        mixesDigestWithOthers = isBefore("8.7")
        sharesHTTP1 = isBefore("8.5")
        defaultPortOfProxy = isBefore("8.21") ? 1080 : 80
    }
}

#endif

import Foundation

// What can go wrong with a redirect. A request for anything that contains "target" has arrived.
extension Fault {
    static let redirects =
        (300...309).map { Fault("status \($0) without Location", .status($0, "abc"), .serverError($0)) }
        + [301, 302, 303, 307, 308].map {
            Fault("status \($0) with Location", .redirect(to: "/target", status: $0, then: .ok("abc")), .success("abc"))
        }
        + [305, 306].map {
            Fault(
                "status \($0) with Location", redirect(to: "/target", status: $0), onLinux: .success("abc"),
                elsewhere: .serverError($0))
        }
        + [300, 304, 309].map {
            Fault("status \($0) with Location", redirect(to: "/target", status: $0), onLinux: .serverError($0))
        }

    static let locations = [
        Fault("Location: relative path", redirect(to: "target"), .success("abc")),
        Fault("Location: dot segments", redirect(to: "/a/b/../../target"), .success("abc")),
        Fault("Location: a query alone", redirect(to: "?target"), .success("abc")),
        Fault("Location: a fragment alone", redirect(to: "#fragment"), .transportError),
        unclear("Location: spaces", redirect(to: "/target with spaces"), .success("abc")),
        unclear("Location: a percent sign that encodes nothing", redirect(to: "/target%zz"), .success("abc")),
        unclear("Location: UTF-8", redirect(to: "/target/grüße"), .success("abc")),
        Fault("Location: 70 kB", redirect(to: "/target?" + String(repeating: "x", count: 70_000)), .success("abc")),
        Fault("Location: empty", redirect(to: ""), onLinux: .serverError(302)),
        Fault("Location: malformed", redirect(to: "http://[::"), onLinux: .serverError(302)),
        unclear("Location: no host", redirect(to: "http://"), .transportError),
        unclear("Location: NUL as the host", redirect(to: "//%00/"), .transportError),
        // URLSession takes the last 16 bits: 99999 would be the port of another test at times, and nobody has port 1.
        unclear("Location: port 65537", redirect(to: "http://127.0.0.1:65537/"), .transportError),
        Fault("Location: nobody listens", redirect(to: "http://127.0.0.1:1/"), .transportError),
        Fault("Location: without a scheme", redirect(to: "//127.0.0.1:1/"), .transportError),
        Fault("Location: IPv6 host without a scheme", redirect(to: "//[::1]:1/"), .transportError),
        unclear("Location: file", redirect(to: "file:///etc/hostname"), .transportError),
        unclear("Location: ftp", redirect(to: "ftp://127.0.0.1:1/"), .transportError),
        unclear("Location: data", redirect(to: "data:,hello"), .transportError),
        unclear("Location: javascript", redirect(to: "javascript:alert(1)"), .transportError),
        unclear("Location: mailto", redirect(to: "mailto:a@example.org"), .transportError),
        Fault("Location: with credentials", redirectWithCredentials, .success("abc")),
        unclear("Location: in two fields", twoLocations, .success("abc"))
            .from(libcurl: LibcurlVersion(8, 17), .transportError),
        Fault("Location: itself", .redirect(to: "/"), .transportError),
        Fault("Location: a ring of two", ring, .transportError),
        Fault("Location: ever longer", everLonger, .transportError),
        Fault("Location: then closed", .redirect(to: "/target", then: .closed), .transportError),
        Fault("Location: then refused", .redirect(to: "/target", then: .status(404)), .serverError(404)),
    ]

    /// A redirect that a client may also refuse to follow.
    private static func unclear(_ name: String, _ response: LoopbackServer.Response, _ onLinux: Outcome) -> Fault {
        Fault(name, response, onLinux: onLinux, elsewhere: .serverError(302))
    }

    private static func redirect(to location: String, status: Int = 302) -> LoopbackServer.Response {
        .redirect(to: location, status: status, then: .ok("abc"))
    }

    private static let redirectWithCredentials = LoopbackServer.Response { request, connection in
        let location = "\(connection.scheme)://user:secret@\(request.header("Host") ?? "")/target"
        try redirect(to: location).play(request, connection)
    }

    private static let twoLocations = LoopbackServer.Response { request, connection in
        let response: LoopbackServer.Response =
            request.path == "/" ? .status(302, headers: ["Location": "/target", "Location": "/other"]) : .ok("abc")
        try response.play(request, connection)
    }

    private static let ring = LoopbackServer.Response { request, connection in
        try connection.respond(with: .redirect(to: request.path == "/a" ? "/b" : "/a"), to: request)
    }

    private static let everLonger = LoopbackServer.Response { request, connection in
        try connection.respond(with: .redirect(to: "/x" + request.target), to: request)
    }
}

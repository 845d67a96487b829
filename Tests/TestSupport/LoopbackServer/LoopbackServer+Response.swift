import Foundation

extension LoopbackServer {
    /// A way to answer a request: a handler with a name.
    struct Response: Sendable {
        let play: Handler

        init(_ play: @escaping Handler) {
            self.play = play
        }
    }
}

// MARK: - Correct responses

extension LoopbackServer.Response {
    static func ok(_ body: some BytesConvertible = "", headers: KeyValuePairs<String, String> = [:]) -> Self {
        status(200, body, headers: headers)
    }

    static func json(_ text: String) -> Self {
        ok(text, headers: ["Content-Type": "application/json"])
    }

    static func status(
        _ status: Int,
        _ body: some BytesConvertible = "",
        headers: KeyValuePairs<String, String> = [:]
    ) -> Self {
        Self { _, connection in try connection.respond(status, headers: headers, body: body) }
    }

    static func redirect(to location: String, status: Int = 302) -> Self {
        self.status(status, "moved", headers: ["Location": location])
    }

    /// A 401 with this `WWW-Authenticate`.
    static func challenge(_ scheme: String, _ body: some BytesConvertible = "unauthorized") -> Self {
        status(401, body, headers: ["WWW-Authenticate": scheme])
    }

    /// The request's body, with its content type.
    static var echo: Self {
        Self { request, connection in
            let type = request.header("Content-Type") ?? "application/octet-stream"
            try connection.respond(headers: ["Content-Type": type], body: request.body)
        }
    }

    /// A large body that costs the server no memory.
    static func zeros(_ count: Int) -> Self {
        Self { _, connection in
            try connection.sendHead(200, contentLength: count)
            try connection.send(zeros: count)
        }
    }
}

// MARK: - Faults

extension LoopbackServer.Response {
    /// These bytes and nothing else, then the end of the stream.
    static func raw(_ bytes: some BytesConvertible) -> Self {
        Self { _, connection in
            try connection.send(bytes)
            connection.close()
        }
    }

    /// A body that ends before its declared length.
    static func truncated(_ body: some BytesConvertible, of length: Int) -> Self {
        Self { _, connection in
            try connection.sendHead(200, contentLength: length)
            try connection.send(body)
            connection.close()
        }
    }

    /// No byte, until the client gives up.
    static var silent: Self { stalled(after: "") }

    /// These bytes, and then nothing more until the client gives up.
    static func stalled(after bytes: some BytesConvertible) -> Self {
        Self { _, connection in
            try connection.send(bytes)
            connection.waitForClientToClose()
        }
    }

    /// These bytes one at a time, then the end of the stream.
    static func drip(_ bytes: some BytesConvertible) -> Self {
        Self { _, connection in
            for byte in bytes.bytes { try connection.send([byte]) }
            connection.close()
        }
    }

    /// The end of the stream in place of an answer.
    static var closed: Self { raw("") }

    /// A reset in place of an answer.
    static var reset: Self { reset(after: "") }

    /// These bytes, then a reset, which may overtake them.
    static func reset(after bytes: some BytesConvertible) -> Self {
        Self { _, connection in
            try connection.send(bytes)
            connection.reset()
        }
    }
}

// MARK: - Combinations

extension LoopbackServer.Response {
    /// The same once the gate is open.
    func once(_ gate: Gate) -> Self {
        Self { request, connection in
            gate.wait()
            try play(request, connection)
        }
    }

    /// Sends the client to this location, and answers what arrives for a path with `target` in it.
    static func redirect(to location: String, status: Int = 302, then response: Self) -> Self {
        Self { request, connection in
            let next = request.target.contains("target") ? response : .redirect(to: location, status: status)
            try next.play(request, connection)
        }
    }
}

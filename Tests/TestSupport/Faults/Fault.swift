import Foundation

/// Something a server does wrong, or right in an unusual way, and what a caller must be told about it.
struct Fault: Sendable {
    let name: String
    let response: LoopbackServer.Response
    /// With libcurl, that of the version that is loaded.
    private(set) var outcome: Outcome
    /// What else libcurl makes of the response in some of its versions, if it is not known in which.
    private(set) var outcomeOfOtherVersions: Outcome?
    /// What a client other than libcurl may make of a response that HTTP does not define; nil where HTTP defines it.
    let outcomesElsewhere: [Outcome]?
    let request: RequestShape

    struct RequestShape: Sendable {
        /// The size of a body that the response has to read, if it is read at all.
        var uploadedBytes: Int?
        /// The seconds without a byte after which the request gives up.
        var timeout: TimeInterval?

        static let get = Self()
        static let impatient = Self(timeout: 1)

        static func upload(_ count: Int, timeout: TimeInterval? = nil) -> Self {
            Self(uploadedBytes: count, timeout: timeout)
        }
    }

    /// The part of a result that a fault decides.
    enum Outcome: Equatable, Sendable {
        case success(String)
        case serverError(Int)
        case transportError
        /// What no server can be the cause of.
        case other
    }

    /// The same fault, which libcurl judges differently from a version on.
    func from(libcurl version: LibcurlVersion, _ outcome: Outcome) -> Fault {
        guard version.isLoaded else { return self }
        var fault = self
        fault.outcome = outcome
        return fault
    }

    /// The same fault, which versions of libcurl other than 7.88 judge differently.
    func orWithOtherVersions(_ outcome: Outcome) -> Fault {
        var fault = self
        fault.outcomeOfOtherVersions = outcome
        return fault
    }

    /// A fault whose outcome is the same everywhere.
    init(
        _ name: String,
        _ response: LoopbackServer.Response,
        _ outcome: Outcome,
        request: RequestShape = .get
    ) {
        self.name = name
        self.response = response
        self.outcome = outcome
        self.outcomesElsewhere = nil
        self.request = request
    }

    /// A fault that HTTP leaves open, with the outcome it has on Linux.
    ///
    /// Elsewhere a client may do the same, refuse the response, take `abc` for its body, or read one of `readings`.
    init(
        _ name: String,
        _ response: LoopbackServer.Response,
        onLinux outcome: Outcome,
        elsewhere readings: Outcome...
    ) {
        self.name = name
        self.response = response
        self.outcome = outcome
        self.outcomesElsewhere = [outcome, .transportError, .success("abc")] + readings
        self.request = .get
    }
}

extension Fault {
    static let all =
        resets + contentLengths + chunks + contentEncodings + statuses + headers + challenges + redirects + locations
        + paces + uploads

    /// The faults that leave the process alive.
    static let survivable = all
}

// MARK: - Shorthands of the tables

extension LoopbackServer.Response {
    /// A 200 with these header lines and this body, as they are, then the end of the stream.
    static func raw(_ head: some BytesConvertible, body: some BytesConvertible) -> Self {
        .raw("HTTP/1.1 200 OK\r\n".bytes + head.bytes + "\r\n\r\n".bytes + body.bytes)
    }

    /// A whole response with the body `abc` and these further header lines.
    static func header(_ lines: some BytesConvertible) -> Self {
        .raw("Content-Length: 3\r\n".bytes + lines.bytes, body: "abc")
    }
}

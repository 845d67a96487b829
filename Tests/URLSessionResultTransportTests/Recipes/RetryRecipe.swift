import Foundation
import Testing
import URLSessionResult

// snippet.retry
/// Sends a request again if the server is busy or the connection
/// fails, and if it is safe to repeat.
nonisolated struct Retry: Sendable {
    /// How often a request is sent at most: once at least.
    var attempts = 4
    /// In seconds, at most a day.
    var longestWait: TimeInterval = 60

    // A test replaces what depends on time and chance.
    var now: @Sendable () -> Date = { Date() }
    var random: @Sendable (TimeInterval) -> TimeInterval = {
        .random(in: 0...$0)
    }
    var sleep: @Sendable (TimeInterval) async throws -> Void = {
        try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
    }

    /// Sends the request until it succeeds, or trying again is no use.
    /// Cancelling the Swift task also ends the wait.
    func result<T: Sendable>(
        of request: URLRequest,
        send: @Sendable (URLRequest) async -> Result<T, NetworkError>
    ) async -> Result<T, NetworkError> {
        var attempt = 1
        while true {
            let result = await send(request)
            guard case .failure(let error) = result,
                attempt < attempts, request.isRepeatable,
                let wait = wait(after: error, attempt: attempt)
            else { return result }
            do {
                try await sleep(wait)
            } catch {
                return .failure(.transportError(URLError(.cancelled)))
            }
            attempt += 1
        }
    }

    /// The seconds until the next attempt, or `nil` to give up.
    func wait(
        after error: NetworkError, attempt: Int
    ) -> TimeInterval? {
        switch error {
        case .transportError where error.mayBeTemporary:
            return backOff(attempt)
        case .serverError(408, let response),
            .serverError(429, let response),
            .serverError(502...504, let response):
            let wait = response.retryAfter(now()) ?? backOff(attempt)
            return wait <= limit ? wait : nil
        default:
            return nil
        }
    }

    /// Up to 1, 2, 4, … seconds. The random part keeps clients that
    /// failed together from coming back together.
    private func backOff(_ attempt: Int) -> TimeInterval {
        random(min(pow(2, Double(attempt - 1)), limit))
    }

    private var limit: TimeInterval {
        min(max(longestWait, 0), 86_400)
    }
}

nonisolated extension URLRequest {
    /// Repeating it does no harm: its method is idempotent
    /// (RFC 9110, section 9.2.2), or the server knows it by its key.
    var isRepeatable: Bool {
        // A stream can be read once.
        guard httpBodyStream == nil else { return false }
        let methods = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]
        return methods.contains(httpMethod ?? "GET")
            || value(forHTTPHeaderField: "Idempotency-Key") != nil
    }
}

nonisolated extension NetworkResponse {
    /// The seconds of `Retry-After`: a number, or a date in one of
    /// three formats (RFC 9110, sections 10.2.3 and 5.6.7).
    func retryAfter(_ now: Date) -> TimeInterval? {
        guard let value = header("Retry-After") else { return nil }
        let isNumber = value.allSatisfy { ("0"..."9").contains($0) }
        if isNumber { return TimeInterval(value) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        let formats = [
            "EEE, dd MMM yyyy HH:mm:ss 'GMT'",
            "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
            "EEE MMM d HH:mm:ss yyyy",
        ]
        for format in formats {
            formatter.dateFormat = format
            if let date = formatter.date(from: value) {
                return max(0, date.timeIntervalSince(now))
            }
        }
        return nil
    }
}
// snippet.end

// snippet.temporary-errors
nonisolated extension NetworkError {
    /// The same request may succeed later. It won't if the URL, the
    /// certificate or a file is the reason.
    var mayBeTemporary: Bool {
        if let error = underlyingError as? POSIXError {
            // On Apple's platforms, after an app was suspended.
            return error.code == .ECONNABORTED
        }
        let codes: [URLError.Code] = [
            .timedOut, .cannotFindHost, .cannotConnectToHost,
            .dnsLookupFailed, .networkConnectionLost,
            .notConnectedToInternet,
        ]
        return urlError.map { codes.contains($0.code) } ?? false
    }
}
// snippet.end

@Suite("Recipe: retry", .inTurn)
struct RetryRecipe {
    private let session = URLSession(configuration: .ephemeral)
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func retry(_ waits: Monitor<[TimeInterval]>) -> Retry {
        Retry(now: { now }, random: { $0 }, sleep: { seconds in waits.withLock { $0.append(seconds) } })
    }

    /// A server that answers with these responses, one after the other, and from then on with the last one.
    private func server(_ responses: LoopbackServer.Response...) throws -> LoopbackServer {
        let count = Monitor(0)
        return try LoopbackServer { request, connection in
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, responses.count - 1)
            }
            try responses[index].play(request, connection)
        }
    }

    private func busy(_ retryAfter: String) -> LoopbackServer.Response {
        .status(503, headers: ["Retry-After": retryAfter])
    }

    @Test("Three retries wait as long as Retry-After says, in seconds and by date")
    func retryAfter() async throws {
        let server = try server(busy("7"), busy("Sun, 06 Nov 1994 08:50:37 GMT"), busy("0"), .ok("done"))
        let waits = Monitor<[TimeInterval]>([])
        let request = URLRequest(url: server.url())
        let result = await retry(waits).result(of: request) { request in
            await session.dataResult(for: request)
        }
        #expect(try result.get() == Data("done".utf8))
        #expect(waits.value == [7, 60, 0])
        #expect(server.requests.count == 4)
    }

    @Test("Without Retry-After the waits grow, and after four attempts the last error is the result")
    func backOff() async throws {
        let server = try server(.status(503))
        let waits = Monitor<[TimeInterval]>([])
        let result = await retry(waits).result(of: URLRequest(url: server.url())) { await session.dataResult(for: $0) }
        #expect(result.error?.statusCode == 503)
        #expect(server.requests.count == 4)
        #expect(waits.value == [1, 2, 4])
        let random = Retry().random
        #expect((0..<100).allSatisfy { _ in (0...4).contains(random(4)) })
        #expect(Set((0..<100).map { _ in random(4) }).count > 1)
    }

    @Test(
        "Retry-After is a number of any length, or a date in each of three formats",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("4294967296", 4_294_967_296),
            ("007", 7), ("soon", nil), ("-1", nil), ("1.5", nil),
        ] as [(String, TimeInterval?)])
    func retryAfterFormats(_ value: String, seconds: TimeInterval?) throws {
        let url = try #require(URL(string: "https://albums.test/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: ["Retry-After": value]))
        #expect(NetworkResponse(body: (), urlResponse: response).retryAfter(now) == seconds)
    }

    @Test("A limit that is no time is a limit all the same", arguments: [-1, 0, TimeInterval.infinity])
    func oddLimits(_ limit: TimeInterval) async throws {
        let server = try server(busy("Fri, 31 Dec 9999 23:59:59 GMT"))
        var retry = Retry()
        retry.longestWait = limit
        let result = await retry.result(of: URLRequest(url: server.url())) { await session.dataResult(for: $0) }
        #expect(result.error?.statusCode == 503)
        #expect(server.requests.count == 1)
    }

    @Test("A body stream is sent once")
    func bodyStream() async throws {
        let server = try server(.status(503), .ok())
        var request = URLRequest(url: server.url(), method: .put)
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        let result = await retry(Monitor([])).result(of: request) { await session.dataResult(for: $0) }
        #expect(result.error?.statusCode == 503)
        #expect(server.requests.map(\.body) == [Data("body".utf8)])
    }

    @Test("A connection that is lost is tried again")
    func lostConnection() async throws {
        let server = try server(.reset, .closed, .ok("done"))
        let waits = Monitor<[TimeInterval]>([])
        let result = await retry(waits).result(of: URLRequest(url: server.url())) { await session.dataResult(for: $0) }
        #expect(try result.get() == Data("done".utf8))
        #expect(waits.value.count == 2)
    }

    @Test("What no repetition mends is sent once: another scheme, a file in the way, a response that is no HTTP")
    func hopeless() async throws {
        let waits = Monitor<[TimeInterval]>([])
        let sent = Monitor(0)
        let folder = TemporaryFolder()
        let file = folder.file("file", Data("file".utf8))
        let server = try LoopbackServer(.stalled(after: "no HTTP\r\n\r\n"))
        let requests = try ["unknown://host/", "http:///", server.url().absoluteString].map {
            URLRequest(url: try #require(URL(string: $0)))
        }
        for request in requests {
            let result = await retry(waits).result(of: request) { request in
                sent.withLock { $0 += 1 }
                return await session.dataResult(for: request)
            }
            #expect(result.error?.urlError != nil)
        }
        let download = await retry(waits).result(of: URLRequest(url: server.url())) { request in
            sent.withLock { $0 += 1 }
            return await session.downloadResult(for: request, to: file.appendingPathComponent("inside"))
        }
        #expect(download.error != nil)
        #expect(sent.value == 4)
        #expect(waits.value.isEmpty)
    }

    @Test("A certificate that is refused is not tried again")
    func certificate() {
        let refused: [URLError.Code] = [
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .secureConnectionFailed, .cancelled, .unknown,
        ]
        for code in refused {
            #expect(Retry().wait(after: .transportError(URLError(code)), attempt: 1) == nil)
        }
        #expect(Retry().wait(after: .transportError(POSIXError(.ENOSPC)), attempt: 1) == nil)
        #expect(Retry().wait(after: .transportError(POSIXError(.ECONNABORTED)), attempt: 1) != nil)
    }

    @Test("A number of attempts below one sends the request once", arguments: [-1, 0, 1])
    func fewAttempts(_ attempts: Int) async throws {
        let server = try server(.status(503))
        var retry = retry(Monitor([]))
        retry.attempts = attempts
        let result = await retry.result(of: URLRequest(url: server.url())) { await session.dataResult(for: $0) }
        #expect(result.error?.statusCode == 503)
        #expect(server.requests.count == 1)
    }

    @Test("A POST with a key is repeated with the same key and body")
    func idempotencyKey() async throws {
        let server = try server(.status(503), .ok("done"))
        let url = server.url()
        let order = ["album": "Blue"]
        // snippet.use-idempotency-key
        var payment = try URLRequest(url: url, method: .post, json: order)
        payment.setValue(
            UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
        // snippet.end
        let result = await retry(Monitor([])).result(of: payment) { await session.dataResult(for: $0) }
        #expect(try result.get() == Data("done".utf8))
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.map(\.body) == Array(repeating: Data(#"{"album":"Blue"}"#.utf8), count: 2))
        #expect(Set(server.requests.map { $0.header("Idempotency-Key") }).count == 1)
    }

    @Test("A POST is sent once, and so is a request that the server refuses for good or for too long")
    func noRetry() async throws {
        let waits = Monitor<[TimeInterval]>([])
        for (method, response) in [(HTTPMethod.post, busy("1")), (.get, .status(404)), (.get, busy("61"))] {
            let server = try server(response)
            let request = URLRequest(url: server.url(), method: method)
            let result = await retry(waits).result(of: request) { await session.dataResult(for: $0) }
            #expect(result.error != nil)
            #expect(server.requests.count == 1)
        }
        #expect(waits.value.isEmpty)
    }

    @Test("Cancelling a task that waits ends it at once, as a cancellation")
    func cancellation() async throws {
        let server = try server(busy("60"))
        let isWaiting = Monitor(false)
        var retry = Retry()
        let sleep = retry.sleep
        retry.sleep = { seconds in
            isWaiting.withLock { $0 = true }
            try await sleep(seconds)
        }
        let running = Task { [retry] in
            await retry.result(of: URLRequest(url: server.url())) { await session.dataResult(for: $0) }
        }
        try await isWaiting.value { $0 }
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
        #expect(server.requests.count == 1)
    }
}

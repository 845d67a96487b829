import Foundation
import Testing
import URLSessionResult

// snippet.retry
/// Sends a request again if the server is busy or the connection
/// fails, and if it is safe to repeat.
struct Retry: Sendable {
    /// How often a request is sent at most: once at least.
    var attempts = 4
    var longestWait: TimeInterval = 60
    var now: @Sendable () -> Date = { Date() }
    var sleep: @Sendable (TimeInterval) async throws -> Void = {
        try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
    }

    /// Sends the request until it succeeds, or trying again is no use.
    func result<T: Sendable>(
        of request: URLRequest,
        send: @Sendable (URLRequest) async -> Result<T, NetworkError>
    ) async -> Result<T, NetworkError> {
        var attempt = 1
        while true {
            let result = await send(request)
            guard case .failure(let error) = result,
                attempt < attempts, request.isRepeatable,
                let wait = wait(after: error, attempt: attempt),
                await hasSlept(wait)
            else { return result }
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
            return wait <= longestWait ? wait : nil
        default:
            return nil
        }
    }

    /// Up to 1, 2, 4, … seconds. The random part keeps clients that
    /// failed together from coming back together.
    private func backOff(_ attempt: Int) -> TimeInterval {
        let limit = min(pow(2, Double(attempt - 1)), longestWait)
        return TimeInterval.random(in: 0...limit)
    }

    /// Returns `false` if the Swift task was cancelled.
    private func hasSlept(_ seconds: TimeInterval) async -> Bool {
        do {
            try await sleep(seconds)
            return true
        } catch {
            return false
        }
    }
}

extension URLRequest {
    /// Repeating it does no harm: its method is idempotent
    /// (RFC 9110, section 9.2.2), or the server knows it by its key.
    var isRepeatable: Bool {
        let methods = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]
        return methods.contains(httpMethod ?? "GET")
            || value(forHTTPHeaderField: "Idempotency-Key") != nil
    }
}

extension NetworkResponse {
    /// The seconds of `Retry-After`: a number, or a date
    /// (RFC 9110, section 10.2.3).
    func retryAfter(_ now: Date) -> TimeInterval? {
        guard let value = header("Retry-After") else { return nil }
        if let seconds = UInt32(value) { return TimeInterval(seconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.date(from: value)
        return date.map { max(0, $0.timeIntervalSince(now)) }
    }
}
// snippet.end

// snippet.temporary-errors
extension NetworkError {
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
        Retry(now: { now }, sleep: { seconds in waits.withLock { $0.append(seconds) } })
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
        try #require(waits.value.count == 3)
        #expect((0...1).contains(waits.value[0]))
        #expect((0...2).contains(waits.value[1]))
        #expect((0...4).contains(waits.value[2]))
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

    @Test("A cancelled task does not try again")
    func cancellation() async throws {
        let server = try server(busy("1"))
        var retry = Retry()
        retry.sleep = { _ in throw CancellationError() }
        let result = await retry.result(of: URLRequest(url: server.url())) { await session.dataResult(for: $0) }
        #expect(result.error?.statusCode == 503)
        #expect(server.requests.count == 1)
    }
}

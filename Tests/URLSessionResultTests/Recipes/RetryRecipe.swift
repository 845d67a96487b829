import Foundation
import Testing
import URLSessionResult

// snippet.retry
/// Sends an idempotent request again if the server is busy or the
/// connection fails.
struct Retry: Sendable {
    var attempts = 4
    var longestWait: TimeInterval = 60
    var now: @Sendable () -> Date = { Date() }
    var sleep: @Sendable (TimeInterval) async throws -> Void = {
        try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
    }

    /// Sends the request until it succeeds, or trying again is no use.
    func result<T>(
        of request: URLRequest,
        send: @Sendable (URLRequest) async -> Result<T, NetworkError>
    ) async -> Result<T, NetworkError> {
        var result = await send(request)
        guard request.isIdempotent else { return result }
        for attempt in 1..<attempts {
            guard case .failure(let error) = result,
                let wait = wait(after: error, attempt: attempt),
                await hasSlept(wait)
            else { break }
            result = await send(request)
        }
        return result
    }

    /// The seconds until the next attempt, or `nil` to give up.
    func wait(
        after error: NetworkError, attempt: Int
    ) -> TimeInterval? {
        switch error {
        case .transportError where !error.isCancelled:
            return backOff(attempt)
        case .serverError(429, let response),
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
    /// RFC 9110, section 9.2.2.
    var isIdempotent: Bool {
        let methods = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]
        return methods.contains(httpMethod ?? "GET")
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

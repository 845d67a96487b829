import Foundation
import Testing
import URLSessionResultTesting

@testable import URLSessionResultClient
@testable import TestSupport

@Suite(.inTurn)
struct RetryTests {
    private let session = URLSession(configuration: .forTests)

    private func retry(_ waits: Monitor<[TimeInterval]>) -> Retry {
        var retry = Retry()
        // Sun, 06 Nov 1994 08:49:37 GMT
        retry.now = { Date(timeIntervalSince1970: 784_111_777) }
        retry.random = { $0 }
        retry.sleep = { seconds in waits.withLock { $0.append(seconds) } }
        return retry
    }

    @Test(
        "Retry-After is a number of any length, or a date in each of three formats; anything else is as if it were not there",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("007", 7), ("soon", 1), ("-1", 1),
            ("1.5", 1), ("61", nil), ("4294967296", nil), ("Fri, 31 Dec 9999 23:59:59 GMT", nil),
        ] as [(String, TimeInterval?)])
    func retryAfter(_ value: String, seconds: TimeInterval?) async throws {
        let server = try LoopbackServer.inTurn(.status(503, headers: ["Retry-After": value]), .ok("done"))
        let waits = Monitor<[TimeInterval]>([])
        let result = await retry(waits).data(for: URLRequest(url: server.url()), session)
        #expect(waits.value == [seconds].compactMap(\.self))
        #expect(result.error?.statusCode == (seconds == nil ? 503 : nil))
    }

    @Test("A date is counted from that of the response, because a clock may be wrong")
    func retryAfterDate() async throws {
        let headers: KeyValuePairs = [
            "Date": "Mon, 07 Nov 1994 10:00:00 GMT", "Retry-After": "Mon, 07 Nov 1994 10:00:05 GMT",
        ]
        let server = try LoopbackServer.inTurn(.status(503, headers: headers), .ok("done"))
        let waits = Monitor<[TimeInterval]>([])
        _ = try await retry(waits).data(for: URLRequest(url: server.url()), session).get()
        #expect(waits.value == [5])
    }

    @Test(
        "A server error is repeated if it may pass",
        arguments: [400, 401, 403, 404, 409, 425, 500, 501, 505, 511], [408, 429, 502, 503, 504])
    func statusCodes(final: Int, temporary: Int) async {
        let waits = Monitor<[TimeInterval]>([])
        let codes = Monitor([temporary, final, 200])
        let url = URL(fileURLWithPath: "/")
        let head = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let response = NetworkResponse(body: Data(), urlResponse: head)
        let send: SendRequest<Data> = { _ in
            .failure(.serverError(statusCode: codes.withLock { $0.removeFirst() }, response: response))
        }
        let result = await retry(waits).response(for: URLRequest(url: url), next: send)
        #expect(result.error?.statusCode == final)
        #expect(waits.value == [1])
    }

    @Test("A decision can be tested alone, and is the usual one by default")
    func testedAlone() async throws {
        let request = URLRequest(url: try #require(URL(string: "https://albums.test")))
        let retry = Retry { attempt in
            attempt.request == request && attempt.number == 2 ? .after(seconds: 7) : .never
        }
        let attempts = (1...2).map { Retry.Attempt(request: request, error: .noData, number: $0) }
        #expect(await retry.decide(attempts[0]) == .never)
        #expect(await retry.decide(attempts[1]) == .after(seconds: 7))
        #expect(await Retry().decide(attempts[1]) == .usual)
    }

    @Test("An attempt that gets further than those before it counts as the first one")
    func progress() async throws {
        let url = try #require(URL(string: "https://albums.test"))
        let isProgress = Monitor([false, true, true, false, false, false])
        let send: SendRequest<Data> = { request in
            if isProgress.withLock({ $0.removeFirst() }) {
                Surroundings.current.advances(ofTransferOf: request)?.withLock { $0 += 1 }
            }
            return .failure(.transportError(URLError(.timedOut)))
        }
        let asked = Monitor<[Int]>([])
        var retry = retry(Monitor([]))
        retry.decide = { attempt in
            asked.withLock { $0.append(attempt.number) }
            return .usual
        }
        _ = await retry.response(for: URLRequest(url: url), next: send)
        #expect(asked.value == [1, 1, 1, 2, 3])
    }

    @Test("Without Retry-After the waits grow, and after four attempts the last error is the result")
    func backOff() async throws {
        let server = try LoopbackServer(.status(503))
        let waits = Monitor<[TimeInterval]>([])
        let result = await retry(waits).data(for: URLRequest(url: server.url()), session)
        #expect(result.error?.statusCode == 503)
        #expect(server.requests.count == 4)
        #expect(waits.value == [1, 2, 4])
        let random = Retry().random
        #expect((0..<100).allSatisfy { _ in (0...4).contains(random(4)) })
    }

    @Test(
        "The first wait doubles, up to the longest, and an odd one is none or the longest",
        arguments: [
            (0.25, [0.25, 0.5, 1, 2, 4]), (40, [40, 60, 60, 60, 60]), (0, [0, 0, 0, 0, 0]), (-1, [0, 0, 0, 0, 0]),
            (.nan, [0, 0, 0, 0, 0]), (.infinity, [60, 60, 60, 60, 60]),
        ] as [(TimeInterval, [TimeInterval])])
    func firstWait(seconds: TimeInterval, expected: [TimeInterval]) async throws {
        let url = try #require(URL(string: "https://albums.test"))
        let busy: SendRequest<Data> = { _ in .failure(.transportError(URLError(.timedOut))) }
        var retry = Retry(attempts: 6, firstWait: seconds)
        let waits = Monitor<[TimeInterval]>([])
        retry.random = { $0 }
        retry.sleep = { seconds in waits.withLock { $0.append(seconds) } }
        _ = await retry.response(for: URLRequest(url: url), next: busy)
        #expect(waits.value == expected)
        retry.attempts = 2_000
        waits.withLock { $0 = [] }
        _ = await retry.response(for: URLRequest(url: url), next: busy)
        #expect(waits.value.last == (expected.last == 0 ? 0 : 60))
    }

    @Test("A decision may wait, knows the request and the response, and is asked about safe requests alone")
    func asynchronousDecision() async throws {
        let server = try LoopbackServer.inTurn(
            .status(403, headers: ["X-Wait": "7"]), .status(503), .status(404), .ok("done"))
        let waits = Monitor<[TimeInterval]>([])
        let asked = Monitor<[String]>([])
        let own = Retry(attempts: 4, firstWait: 2, alsoRepeating: [.patch]) { attempt in
            await Task.yield()
            asked.withLock {
                $0.append("\(attempt.number) \(attempt.request.httpMethod ?? "") \(attempt.request.url?.path ?? "")")
            }
            guard let wait = attempt.error.response?.header("X-Wait").flatMap({ TimeInterval($0) }) else {
                return .usual
            }
            return .after(seconds: wait)
        }
        var retry = own
        retry.random = { $0 }
        retry.sleep = { seconds in waits.withLock { $0.append(seconds) } }
        let patch = URLRequest(url: server.url("/a"), method: .patch)
        #expect(await retry.data(for: patch, session).error?.statusCode == 404)
        #expect(waits.value == [7, 4])
        #expect(asked.value == ["1 PATCH /a", "2 PATCH /a", "3 PATCH /a"])
        let busy = try LoopbackServer(.status(503))
        #expect(await retry.data(for: URLRequest(url: busy.url("/b"), method: .post), session).error?.statusCode == 503)
        #expect(asked.value.count == 3)
    }

    @Test("A decision can be replaced")
    func replacedDecision() async throws {
        var retry = retry(Monitor([]))
        let url = try #require(URL(string: "https://albums.test"))
        let sends = Monitor(0)
        let busy: SendRequest<Data> = { _ in
            sends.withLock { $0 += 1 }
            return .failure(.transportError(URLError(.timedOut)))
        }
        retry = Retry { _ in .never }
        retry.sleep = { _ in }
        _ = await retry.response(for: URLRequest(url: url), next: busy)
        #expect(sends.value == 1)
        retry.decide = { _ in .usual }
        _ = await retry.response(for: URLRequest(url: url), next: busy)
        #expect(sends.value == 5)
    }

    @Test("A deadline ends a decision that waits")
    func deadlineOfDecision() async throws {
        let server = try LoopbackServer(.status(503))
        let gate = SessionStub.Gate()
        let isAsked = Monitor(false)
        let retry = Retry { _ in
            isAsked.withLock { $0 = true }
            try? await gate.opened()
            return .usual
        }
        var deadline = Deadline(seconds: 1)
        deadline.sleep = { _ in try await isAsked.value { $0 } }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [deadline, retry])
        #expect(await client.result(for: Endpoint(.get, "a")).error?.isTimeout == true)
        #expect(server.requests.count == 1)
    }

    @Test("A wait is a day at most, whatever the limit", arguments: [(86_400, true), (86_401, false)])
    func day(seconds: Int, waits isWaited: Bool) async throws {
        let server = try LoopbackServer.inTurn(.status(503, headers: ["Retry-After": "\(seconds)"]), .ok("done"))
        let waits = Monitor<[TimeInterval]>([])
        var retry = retry(waits)
        retry.longestWait = .infinity
        let result = await retry.data(for: URLRequest(url: server.url()), session)
        #expect(waits.value == (isWaited ? [86_400] : []))
        #expect((result.error == nil) == isWaited)
    }

    @Test(
        "Odd limits send the request once, or wait for nothing",
        arguments: [
            (-1, "1"), (0, "1"), (.infinity, "99999999999999999999"), (.nan, "99999999999999999999"),
        ] as [(TimeInterval, String)])
    func oddLimits(_ limit: TimeInterval, askedWait: String) async throws {
        let server = try LoopbackServer(.status(503, headers: ["Retry-After": askedWait]))
        let waits = Monitor<[TimeInterval]>([])
        var retry = retry(waits)
        retry.longestWait = limit
        retry.attempts = limit < 0 ? -1 : 4
        let result = await retry.data(for: URLRequest(url: server.url()), session)
        #expect(result.error?.statusCode == 503)
        #expect(server.requests.count == 1)
    }

    @Test(
        "A request is repeated if its method is idempotent (RFC 9110, section 9.2.2)",
        arguments: [
            ("GET", 2), ("HEAD", 2), ("PUT", 2), ("DELETE", 2), ("OPTIONS", 2), ("TRACE", 2), ("POST", 1), ("PATCH", 1),
        ])
    func methods(_ method: String, attempts: Int) async throws {
        let stub = SessionStub(.text("busy", statusCode: 503), .text("done"))
        var request = URLRequest(url: try #require(URL(string: "https://api.test")))
        request.httpMethod = method
        let result = await retry(Monitor([])).data(for: request, stub.session)
        #expect(result.error?.statusCode == (attempts == 1 ? 503 : nil))
        #expect(stub.requests.count == attempts)
    }

    @Test("A connection that is lost is tried again; a body stream, and what no repetition mends, is sent once")
    func errors() async throws {
        let waits = Monitor<[TimeInterval]>([])
        let server = try LoopbackServer.inTurn(.truncated("do", of: 4), .truncated("do", of: 4), .ok("done"))
        let result = await retry(waits).data(for: URLRequest(url: server.url()), session)
        #expect(try result.get() == Data("done".utf8))
        #expect(waits.value.count == 2)
        var streamed = URLRequest(url: server.url(), method: .put)
        streamed.httpBodyStream = InputStream(data: Data("body".utf8))
        let busy = try LoopbackServer(.status(503))
        streamed.url = busy.url()
        #expect(await retry(waits).data(for: streamed, session).error?.statusCode == 503)
        for address in ["unknown://host/", "http:///"] {
            let request = URLRequest(url: try #require(URL(string: address)))
            #expect(await retry(waits).data(for: request, session).error?.urlError != nil)
        }
        #expect(waits.value.count == 2)
        #expect(busy.requests.count == 1)
    }

    @Test(
        "Errors of the connection are temporary, and of an aborted one that of an app that was suspended, too",
        arguments: [
            (URLError(.timedOut), 4), (URLError(.cannotFindHost), 4), (URLError(.cannotConnectToHost), 4),
            (URLError(.dnsLookupFailed), 4), (URLError(.networkConnectionLost), 4),
            (URLError(.notConnectedToInternet), 4), (URLError(.dataNotAllowed), 4),
            (URLError(.internationalRoamingOff), 4), (URLError(.callIsActive), 4),
            (URLError(.userAuthenticationRequired), 1),
            (POSIXError(.ECONNABORTED), 4), (POSIXError(.ENOSPC), 1), (URLError(.badURL), 1),
            (URLError(.serverCertificateUntrusted), 1), (CocoaError(.fileNoSuchFile), 1),
        ] as [(any Error, Int)])
    func temporaryErrors(error: any Error, attempts: Int) async throws {
        let url = try #require(URL(string: "https://albums.test"))
        let sends = Monitor(0)
        let result: Result<NetworkResponse<Data>, NetworkError> =
            await retry(Monitor([])).response(for: URLRequest(url: url)) { _ in
                sends.withLock { $0 += 1 }
                return .failure(.transportError(error))
            }
        #expect(result.error != nil)
        #expect(sends.value == attempts)
    }

    @Test("A request that somebody cancelled is not sent again, whatever a function would decide")
    func cancelled() async throws {
        let url = try #require(URL(string: "https://albums.test"))
        let sends = Monitor(0)
        var retry = retry(Monitor([]))
        retry.decide = { _ in .after(seconds: 1) }
        let result: Result<NetworkResponse<Data>, NetworkError> = await retry.response(for: URLRequest(url: url)) { _ in
            sends.withLock { $0 += 1 }
            return .failure(.transportError(URLError(.cancelled)))
        }
        #expect(result.error?.isCancelled == true)
        #expect(sends.value == 1)
    }

    @Test("A function may decide otherwise: for the status of a rate limit, and never")
    func decision() async throws {
        let server = try LoopbackServer.inTurn(
            .status(403, headers: ["Retry-After": "30"]), .status(403), .status(503), .ok("done"))
        let waits = Monitor<[TimeInterval]>([])
        let asked = Monitor<[Int]>([])
        var retry = retry(waits)
        retry.decide = { attempt in
            asked.withLock { $0.append(attempt.number) }
            guard attempt.error.statusCode == 403 else { return .usual }
            return .after(seconds: attempt.error.retryAfter ?? 5)
        }
        #expect(try await retry.data(for: URLRequest(url: server.url()), session).get() == Data("done".utf8))
        #expect(waits.value == [30, 5, 4])
        #expect(asked.value == [1, 2, 3])
        let busy = try LoopbackServer(.status(503))
        retry.decide = { _ in .never }
        #expect(await retry.data(for: URLRequest(url: busy.url()), session).error?.statusCode == 503)
        retry.decide = { _ in .after(seconds: 61) }
        #expect(await retry.data(for: URLRequest(url: busy.url()), session).error?.statusCode == 503)
        let post = URLRequest(url: busy.url(), method: .post)
        retry.decide = { _ in .after(seconds: 1) }
        #expect(await retry.data(for: post, session).error?.statusCode == 503)
        #expect(busy.requests.count == 3)
    }
}

extension RequestMiddleware {
    /// The middleware around a plain counterpart.
    func data(for request: URLRequest, _ session: URLSession) async -> DataResult {
        await response(for: request) { await session.dataResult(for: $0, decoder: .response(.data)) }.map(\.body)
    }
}

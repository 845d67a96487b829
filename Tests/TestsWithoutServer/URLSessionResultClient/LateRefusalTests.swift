import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

/// A token that the server refuses after other things have happened to it. No server is needed: what happens while a request is on
/// its way is a function.
struct LateRefusalTests {
    private let now = Monitor(Date(timeIntervalSince1970: 1_000))
    private let refreshes = Monitor<[String?]>([])
    private let sent = Monitor<[String?]>([])
    private let url: URL
    private let refused: NetworkError

    init() throws {
        url = try #require(URL(string: "https://api.test/a"))
        let head = try #require(HTTPURLResponse(url: url, statusCode: 401, httpVersion: nil, headerFields: nil))
        refused = .serverError(statusCode: 401, response: NetworkResponse(body: Data(), urlResponse: head))
    }

    /// A refresh gives the tokens 1, 2, …
    private func token(_ first: String?, livingFor lifetime: TimeInterval) -> TokenAuthentication {
        TokenAuthentication(
            first.map { AccessToken($0, expiry: now.value + 300) }, for: [url],
            refresh: { [now, refreshes] refused in
                let count = refreshes.withLock { refreshes in
                    refreshes.append(refused?.value)
                    return refreshes.count
                }
                return .success(AccessToken("\(count)", expiry: now.value + lifetime))
            }, now: { [now] in now.value })
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - token: The middleware.
    ///   - accepted: The token that the server accepts.
    ///   - refusal: A function that is called before the first refusal arrives.
    /// - Returns: The result.
    private func send(
        by token: TokenAuthentication, accepting accepted: String,
        beforeRefusal refusal: @escaping @Sendable () async -> Void
    ) async -> Result<NetworkResponse<Void>, NetworkError> {
        let isFirst = Monitor(true)
        return await token.response(for: URLRequest(url: url)) { [url, sent, refused] request in
            let field = request.value(forHTTPHeaderField: "Authorization")
            sent.withLock { $0.append(field.map { String($0.dropFirst("Bearer ".count)) }) }
            if field == "Bearer \(accepted)" {
                let head = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
                return .success(NetworkResponse(body: (), urlResponse: head))
            }
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { await refusal() }
            return .failure(refused)
        }
    }

    @Test(
        "A newer token that is over meanwhile is replaced, and one that was over from the first by this clock is sent",
        arguments: [(300, 301, "2"), (300, 299, "1"), (-10, 301, "1")] as [(TimeInterval, TimeInterval, String)])
    func newerToken(lifetime: TimeInterval, wait: TimeInterval, accepted: String) async throws {
        let token = token("0", livingFor: lifetime)
        let result = await send(by: token, accepting: accepted) { [self] in
            // Another request is refused, and gets the next token.
            _ = await send(by: token, accepting: "1") {}
            now.withLock { $0 += wait }
        }
        #expect(result.error == nil)
        #expect(sent.value == ["0", "0", "1", accepted])
        #expect(refreshes.value == (accepted == "2" ? ["0", "1"] : ["0"]))
    }

    @Test("A token that a request has waited for, and that is over when it is refused, is replaced once")
    func overWhenSent() async throws {
        for (accepted, expected) in [("2", ["1", "2"]), ("none", ["3", "4"])] {
            sent.withLock { $0 = [] }
            let token = token(nil, livingFor: 300)
            let result = await send(by: token, accepting: accepted) { [self] in now.withLock { $0 += 301 } }
            #expect((result.error == nil) == (accepted == "2"))
            #expect(sent.value == expected)
        }
        #expect(refreshes.value == [nil, "1", nil, "3"])
    }

    @Test("A refresh that fails at once is made once for requests that are refused one after the other")
    func failsAtOnce() async throws {
        let count = Monitor(0)
        let token = TokenAuthentication("0", for: url) { _ in
            count.withLock { $0 += 1 }
            return .failure(.transportError(URLError(.notConnectedToInternet)))
        }
        let gates = (0..<20).map { _ in Gate() }
        let requests = gates.map { gate in
            Task { await send(by: token, accepting: "1") { try? await gate.opened() } }
        }
        try await sent.value { $0.count == 20 }
        for (gate, request) in zip(gates, requests) {
            gate.open()
            #expect(await request.value.error?.urlError?.code == .notConnectedToInternet)
        }
        #expect(count.value == 1)
        // The next request tries again.
        #expect(await send(by: token, accepting: "1") {}.error?.urlError?.code == .notConnectedToInternet)
        #expect(count.value == 2)
        #expect(sent.value == Array(repeating: "0", count: 21))
    }

    @Test("A refresh ahead of time that has failed is no answer to a request that is refused later")
    func failsAheadOfTime() async throws {
        let count = Monitor(0)
        let ended = Monitor(0)
        let token = TokenAuthentication(
            AccessToken("0", expiry: now.value + 30), for: [url],
            refresh: { _ in
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                return isFirst ? .failure(.transportError(URLError(.notConnectedToInternet))) : .success("1")
            }, now: { [now] in now.value },
            start: { work in
                Task {
                    await work()
                    ended.withLock { $0 += 1 }
                }
            })
        let result = await send(by: token, accepting: "1") { _ = try? await ended.value { $0 == 1 } }
        #expect(result.error == nil)
        #expect(sent.value == ["0", "1"])
    }

    @Test("A token that a request has waited for, and that another one has replaced, is replaced here, too")
    func replacedByOther() async throws {
        let token = token(nil, livingFor: 300)
        let result = await send(by: token, accepting: "2") { [self] in _ = await send(by: token, accepting: "2") {} }
        #expect(result.error == nil)
        #expect(sent.value == ["1", "1", "2", "2"])
        #expect(refreshes.value == [nil, "1"])
    }
}

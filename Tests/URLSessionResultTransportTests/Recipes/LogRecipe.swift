import Foundation
import Testing
import URLSessionResult

// snippet.logged-exchange
/// A request, and what came of it.
nonisolated struct LoggedExchange: Sendable {
    let request: URLRequest
    let response: NetworkResponse<Data>?
    let error: NetworkError?
}

nonisolated extension URLSession {
    /// As `dataResult`, and tells a log what was sent and received,
    /// also if the response is refused or cannot be decoded.
    func loggedResult<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>,
        log: @Sendable (LoggedExchange) -> Void
    ) async -> Result<T, NetworkError> {
        let received = await dataResult(
            for: request,
            decoder: .response { response in
                (response, response.decode(with: decoder))
            })
        let result = received.flatMap { $0.1 }
        var response = try? received.get().0
        var error: NetworkError?
        if case .failure(let failure) = result {
            error = failure
            response = response ?? failure.response
        }
        log(
            LoggedExchange(
                request: request, response: response, error: error))
        return result
    }
}
// snippet.end

@Suite("Recipe: log what is sent and received", .inTurn)
struct LogRecipe {
    private let session = URLSession(configuration: .forTests)

    private func exchange(_ url: URL) async throws -> (LoggedExchange, Result<[Album], NetworkError>) {
        let logged = Monitor<[LoggedExchange]>([])
        let result = await session.loggedResult(for: URLRequest(url: url), decoder: .json([Album].self)) { exchange in
            logged.withLock { $0.append(exchange) }
        }
        try #require(logged.value.count == 1)
        return (logged.value[0], result)
    }

    @Test(
        "A log gets the response, whether it is accepted, refused or not decodable",
        arguments: [(200, "[]", false), (404, "missing", true), (200, "[", true)])
    func response(_ status: Int, body: String, isError: Bool) async throws {
        let server = try LoopbackServer(.status(status, body, headers: ["X-Request-Id": "7"]))
        let (exchange, result) = try await exchange(server.url())
        #expect(exchange.request.url == server.url())
        #expect(exchange.response?.statusCode == status)
        #expect(exchange.response?.header("X-Request-Id") == "7")
        #expect(exchange.response?.body == Data(body.utf8))
        #expect((exchange.error != nil) == isError)
        #expect((result.error != nil) == isError)
    }

    @Test("Without a response, a log gets the error")
    func noResponse() async throws {
        let (exchange, result) = try await exchange(try #require(URL(string: "http://127.0.0.1:1/")))
        #expect(exchange.response == nil)
        #expect(exchange.error?.urlError?.code == .cannotConnectToHost)
        #expect(result.error?.urlError?.code == .cannotConnectToHost)
    }
}

import Foundation
import Testing
import URLSessionResult

// snippet.http-types
import HTTPTypes
import HTTPTypesFoundation

extension URLSession {
    func dataResult<T: Sendable>(
        for request: HTTPRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        guard let urlRequest = URLRequest(httpRequest: request) else {
            return .failure(.transportError(URLError(.badURL)))
        }
        return await dataResult(for: urlRequest, decoder: decoder)
    }
}

extension NetworkResponse {
    /// The status and the headers, with their types.
    var typedResponse: HTTPResponse? {
        (urlResponse as? HTTPURLResponse)?.httpResponse
    }
}
// snippet.end

/// Recipe: requests made of swift-http-types.
struct HTTPTypesRecipe {
    private let session = URLSession(configuration: .ephemeral)

    @MainActor
    @Test("Method and fields are sent, and status and fields come back")
    func exchange() async throws {
        let server = try LoopbackServer(.status(203, "done", headers: ["ETag": "7"]))
        let url = server.url("/albums")
        // snippet.use-http-types
        let fields: HTTPFields = [.accept: "application/json"]
        let typed = HTTPRequest(
            method: .get, url: url, headerFields: fields)
        let exchange = await session.dataResult(
            for: typed, decoder: .response(.string()))
        if case .success(let response) = exchange {
            print(response.typedResponse?.headerFields[.eTag] ?? "no tag")
        }
        // snippet.end
        let response = try exchange.get()
        #expect(response.typedResponse?.status == .nonAuthoritativeInformation)
        #expect(response.typedResponse?.headerFields[.eTag] == "7")
        #expect(response.body == "done")
        #expect(server.requests.map(\.method) == ["GET"])
        #expect(server.requests.first?.header("Accept") == "application/json")
    }

    @Test("A request without a URL is an error, and nothing is sent")
    func noURL() async {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
        let result = await session.dataResult(for: request, decoder: .ignored)
        #expect(throws: NetworkError.self) { try result.get() }
    }
}

import Foundation
import Get

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum WithGet {
    static func fetch(_ url: URL) async throws -> [Album] {
        let client = APIClient(baseURL: url)
        // snippet.get-fetch
        let albums: [Album] =
            try await client
            .send(Request(path: "/albums"))
            .value
        // snippet.end
        return albums
    }

    static func send(_ album: Album, with client: APIClient) async throws {
        // snippet.get-send
        try await client.send(
            Request<Void>(path: "/albums", method: .post, body: album))
        // snippet.end
    }

    static func refusal(with client: APIClient) async {
        func show(_ statusCode: Int) {}
        // snippet.get-refusal
        do {
            try await client.send(Request<Void>(path: "/albums"))
        } catch APIError.unacceptableStatusCode(let statusCode) {
            show(statusCode)
        } catch {
            // Something else went wrong.
        }
        // snippet.end
    }
}

// snippet.get-token
final class TokenDelegate: APIClientDelegate {
    private let token: String

    init(token: String) {
        self.token = token
    }

    func client(
        _ client: APIClient, willSendRequest request: inout URLRequest
    ) async throws {
        request.setValue(
            "Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
}
// snippet.end

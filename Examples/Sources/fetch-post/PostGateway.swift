import Foundation
import URLSessionResult

protocol PostGateway: Sendable {
    func fetch(with parameters: PostParameters) async throws -> Post
}

struct PostParameters {
    let id: Int
}

struct Post: Codable {
    let userId: Int
    let id: Int
    let title: String
    let body: String
}

struct NetworkPostGateway: PostGateway {
    let server: URL
    var session: URLSession = .shared

    func fetch(with parameters: PostParameters) async throws -> Post {
        var request = URLRequest(url: server.appending(path: "posts/\(parameters.id)"))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return try await session.dataResult(for: request, decoder: .json(Post.self)).get()
    }
}

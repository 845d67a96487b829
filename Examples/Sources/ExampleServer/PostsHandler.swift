import FlyingFox
import Foundation

/// Posts in the format of JSONPlaceholder.
struct PostsHandler {
    private let posts: [JSON]

    init() throws {
        posts = try SampleData.decode("posts.json")
    }

    /// `GET /posts/<id>`
    func post(_ request: HTTPRequest) throws -> HTTPResponse {
        guard
            let id = request.routeParameters["id", of: Int.self],
            let post = posts.first(where: { $0["id"] == .number(Decimal(id)) })
        else { throw ErrorResponse(.notFound, "There is no such post.") }
        return try .json(post)
    }
}

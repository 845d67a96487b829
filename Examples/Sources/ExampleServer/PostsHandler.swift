import FlyingFox

/// Posts as JSONPlaceholder has them.
struct PostsHandler {
    private let posts: [JSON]

    init() throws {
        posts = try SampleData.json("posts").elements
    }

    /// `GET /posts/<id>`
    func post(_ request: HTTPRequest) throws -> HTTPResponse {
        guard
            let id = request.routeParameters["id", of: Int.self],
            let post = posts.first(where: { $0["id"].integer == id })
        else { throw Refusal(.notFound, "There is no such post.") }
        return .json(post)
    }
}

import FlyingFox
import Foundation

/// A language model that repeats the question, in the format of OpenAI's API, and the server that gives tokens for it.
actor ChatHandler {
    private static let accessToken = "new"
    private var isLoaded = false

    /// `POST /oauth/token`: exchanges the refresh token `example` for an access token (RFC 6749, section 6).
    func token(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = String(decoding: try await request.bodyData, as: UTF8.self)
        guard form.split(separator: "&").contains("refresh_token=example") else {
            return try .json(["error": "invalid_grant"], .badRequest)
        }
        return try .json(["access_token": Self.accessToken, "token_type": "Bearer"])
    }

    /// `POST /chat/completions?interval=<seconds>`: a server-sent event for each word. The first request is answered 503, because
    /// the model has to be loaded.
    func complete(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.headers[.authorization] == "Bearer \(Self.accessToken)" else {
            return try .json(["error": ["message": "The token is missing or has expired."]], .unauthorized)
        }
        guard isLoaded else {
            isLoaded = true
            let headers: HTTPHeaders = [HTTPHeader("Retry-After"): "1"]
            return HTTPResponse(statusCode: .serviceUnavailable, headers: headers)
        }
        let question = try await request.json(Question.self).messages.last?.content ?? ""
        let words = "You ask: \(question) That is a good question.".split(separator: /(?= )/)
        let events = try words.map { word in
            let part = ["choices": [["delta": ["content": String(word)]]]]
            return Data("data: ".utf8) + (try JSONEncoder().encode(part)) + Data("\n\n".utf8)
        }
        let pieces = events + [Data("data: [DONE]\n\n".utf8)]
        return .paced(pieces, contentType: "text/event-stream", pause: request.interval(default: 0.1))
    }
}

private struct Question: Decodable {
    let messages: [Message]

    struct Message: Decodable {
        let content: String
    }
}

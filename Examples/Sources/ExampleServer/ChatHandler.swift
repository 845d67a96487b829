import FlyingFox
import Foundation

/// A language model that says what it was asked, one word after the other.
struct ChatHandler {
    let tokens: TokensHandler
    private let isWarm = Once()

    /// `POST /chat/completions?interval=<seconds>`, with a token of this server: the answer as server-sent events, as in
    /// OpenAI's API. No empty line ends the last one, as with some servers. The first request is answered 503, because the model
    /// has to be loaded.
    func complete(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard await tokens.allows(request) else {
            return try .failure(.unauthorized, "The token is missing or has expired.", headers: .challenge)
        }
        guard case .array(let messages) = try await request.json["messages"],
            let question = messages.last?["content"].text, !question.isEmpty
        else { return try .failure(.badRequest, "There is no message to answer.") }
        guard await isWarm.happened() else {
            let headers: HTTPHeaders = [HTTPHeader("Retry-After"): "1"]
            return try .failure(.serviceUnavailable, "The model is being loaded.", headers: headers)
        }
        let words = "You ask: \(question) That is a good question.".split(separator: /(?= )/)
        let events = try words.map { word in
            let part: JSON = ["choices": .array([["delta": ["content": .string(String(word))]]])]
            return Data("data: ".utf8) + (try part.serialized) + Data("\n\n".utf8)
        }
        let pieces = events + [Data("data: [DONE]".utf8)]
        return .paced(pieces, contentType: "text/event-stream", pause: request.interval(default: 0.1))
    }
}

/// Something that happens the first time it is asked for.
private actor Once {
    private var hasHappened = false

    /// Whether it had happened before.
    func happened() -> Bool {
        defer { hasHappened = true }
        return hasHappened
    }
}

extension HTTPResponse {
    /// An error in the format of OpenAI's API.
    fileprivate static func failure(
        _ status: HTTPStatusCode, _ message: String, headers: HTTPHeaders = [:]
    ) throws -> HTTPResponse {
        try .json(["error": ["message": .string(message)]], status, headers: headers)
    }
}

import FlyingFox
import Foundation

/// A language model that says what it was asked, one word after the other.
enum ChatHandler {
    /// `POST /chat/completions?interval=<seconds>`: the answer as server-sent events, as in OpenAI's API.
    static func complete(_ request: HTTPRequest) async throws -> HTTPResponse {
        let interval = Double(request.query["interval"] ?? "0.1")
        guard let interval, (0...60).contains(interval) else {
            throw ErrorResponse(.badRequest, "An interval has 0 to 60 seconds.")
        }
        guard case .array(let messages) = try await request.json["messages"],
            let question = messages.last?["content"].text, !question.isEmpty
        else { throw ErrorResponse(.badRequest, "There is no message to answer.") }
        let words = "You ask: \(question) That is a good question.".split(separator: /(?= )/)
        let events = try words.map { word in
            let part: JSON = ["choices": .array([["delta": ["content": .string(String(word))]]])]
            return Data("data: ".utf8) + (try part.serialized) + Data("\n\n".utf8)
        }
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "text/event-stream"],
            body: HTTPBodySequence(
                from: PacedPieces(pieces: events + [Data("data: [DONE]\n\n".utf8)], interval: .seconds(interval))))
    }
}

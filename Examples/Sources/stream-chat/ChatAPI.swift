import Foundation
import URLSessionResultClient

/// An API like OpenAI's, with access tokens that expire.
struct ChatAPI {
    private let client: APIClient

    /// - Parameters:
    ///   - server: The base of the API.
    ///   - token: The access token to begin with.
    ///   - refreshToken: The token that gets another access token, if there is one.
    ///   - session: The session that sends the requests.
    ///   - log: A function that writes a line for each request and one for its end.
    init(
        server: URL, token: String? = nil, refreshToken: String? = nil, session: URLSession = .shared,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        var client = APIClient(baseURL: server, session: session, middleware: [RequestLog(log)])
        let refresh = refreshToken.map { refreshToken -> TokenAuthentication.Refresh in
            { [client] _ in await client.result(for: .accessToken(refreshToken)) }
        }
        let authentication = TokenAuthentication(token.map { AccessToken($0) }, for: server, refresh: refresh)
        // A question may be asked again if there was no answer.
        client.middleware = [Retry(attempts: 3, alsoRepeating: [.post]), authentication, RequestLog(log)]
        self.client = client
    }

    /// The answer, a few characters at a time.
    func answer(to question: String, by model: String) -> NetworkSequence<String> {
        client.values(for: .answer(to: question, by: model))
    }
}

extension Endpoint where Value == AccessToken {
    /// RFC 6749, section 6.
    fileprivate static func accessToken(_ refreshToken: String) -> Endpoint {
        let form: QueryItems = ["grant_type": "refresh_token", "refresh_token": refreshToken]
        return Endpoint<TokenResponse>(.post, "oauth/token", body: .form(form)).map { response in
            AccessToken(response.accessToken, expiry: response.expiresIn.map { Date(timeIntervalSinceNow: $0) })
        }
    }
}

extension Endpoint where Value == String {
    fileprivate static func answer(to question: String, by model: String) -> Endpoint {
        let body = ChatRequest(model: model, messages: [.init(role: "user", content: question)])
        return Endpoint<ChatPart>(.post, "chat/completions", body: .json(body))
            .map { $0.choices.first?.delta.content ?? "" }
    }
}

private struct TokenResponse: Decodable {
    let accessToken: String
    let expiresIn: TimeInterval?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case expiresIn = "expires_in"
    }
}

private struct ChatRequest: Encodable {
    struct Message: Encodable {
        let role: String
        let content: String
    }

    let model: String
    let messages: [Message]
    let stream = true
}

/// The next words of an answer.
private struct ChatPart: Decodable {
    struct Choice: Decodable {
        struct Delta: Decodable {
            let content: String?
        }

        let delta: Delta
    }

    let choices: [Choice]
}

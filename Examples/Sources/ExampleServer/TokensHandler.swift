import FlyingFox
import Foundation

/// Exchanges a refresh token for an access token (RFC 6749, section 6).
actor TokensHandler {
    private var accessTokens: Set<String> = []

    /// `POST /oauth/token`, with a form. The refresh token is `example`.
    func token(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await request.form
        guard form["grant_type"] == "refresh_token" else {
            throw ErrorResponse(.badRequest, "unsupported_grant_type")
        }
        guard form["refresh_token"] == "example" else { throw ErrorResponse(.badRequest, "invalid_grant") }
        let token = UUID().uuidString
        accessTokens.insert(token)
        return try .json(["access_token": .string(token), "expires_in": 3600, "token_type": "Bearer"])
    }

    /// Whether the request has an access token of this server.
    func allows(_ request: HTTPRequest) -> Bool {
        request.bearerToken.map { accessTokens.contains($0) } ?? false
    }
}

extension HTTPRequest {
    /// The fields of a form (`application/x-www-form-urlencoded`).
    fileprivate var form: [String: String] {
        get async throws {
            var components = URLComponents()
            components.percentEncodedQuery = String(decoding: try await bodyData, as: UTF8.self)
            let fields = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
            return Dictionary(fields) { first, _ in first }
        }
    }
}

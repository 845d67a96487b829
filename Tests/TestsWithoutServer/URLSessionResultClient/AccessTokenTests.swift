import Foundation
import Testing
import URLSessionResultClient

/// What a token shows of itself.
struct AccessTokenTests {
    private static let expiry = Date(timeIntervalSince1970: 1_000_000_000)

    @Test(
        "A token that is printed has its scheme and its expiry, and not its value",
        arguments: [
            (AccessToken("secret"), "AccessToken(…)"), ("secret", "AccessToken(…)"),
            (AccessToken("secret", scheme: "Basic"), "AccessToken(Basic …)"),
            (AccessToken("secret", expiry: expiry), "AccessToken(…, expiry: 2001-09-09 01:46:40 +0000)"),
            (
                AccessToken("secret", expiry: expiry, scheme: "DPoP"),
                "AccessToken(DPoP …, expiry: 2001-09-09 01:46:40 +0000)"
            ),
        ])
    func description(token: AccessToken, text: String) {
        #expect("\(token)" == text)
        #expect(String(reflecting: token) == text)
        #expect("\(Optional(token) as Any)" == "Optional(\(text))")
        #expect("\([token])" == "[\(text)]")
    }

    @Test("A dump shows no value, neither of a token nor of the middleware that has it")
    func dumped() throws {
        let api = try #require(URL(string: "https://example.com"))
        let token = AccessToken("secret")
        let refused: Result<AccessToken, NetworkError> = .success(token)
        let parts: [Any] = [token, refused, TokenAuthentication(token, for: api), ["token": token]]
        for part in parts {
            var text = ""
            dump(part, to: &text)
            #expect(!text.contains("secret"))
            #expect(!"\(part)".contains("secret"))
        }
    }
}

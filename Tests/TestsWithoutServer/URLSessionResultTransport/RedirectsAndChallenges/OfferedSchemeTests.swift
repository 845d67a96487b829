#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// What a `WWW-Authenticate` field offers, and which of it a delegate is asked about.
struct OfferedSchemeTests {
    @Test(
        "Schemes and their parameters are read as RFC 9110 has them, and as servers write them",
        arguments: [
            ("", []), (",,,", []), ("=", []), ("\"", []), ("Basic", ["basic"]),
            (#"Basic realm="x""#, ["basic realm=x"]), ("BASIC Realm=x", ["basic realm=x"]),
            (#"Basic realm = "x" , charset="UTF-8""#, ["basic charset=UTF-8 realm=x"]),
            (#"Basic realm="a, Digest b=c""#, ["basic realm=a, Digest b=c"]),
            (#"Basic realm="a \"b\" \\""#, [#"basic realm=a "b" \"#]), (#"Basic realm="open"#, ["basic realm=open"]),
            (#"Basic realm="open\"#, ["basic realm=open"]),
            ("Newauth, Basic realm=x", ["newauth", "basic realm=x"]),
            (#"Newauth a="b", c="d, e", Basic realm="x""#, ["newauth a=b c=d, e", "basic realm=x"]),
            ("Negotiate dG9rZW4=, Basic realm=x", ["negotiate dg9rzw4=", "basic realm=x"]),
            ("NTLM TlRMTVNTUAACAAA, Basic realm=x", ["ntlm", "basic realm=x"]),
            ("NTLM Basic, Digest realm=x", ["ntlm", "digest realm=x"]),
            ("Basic realm=x, realm=y", ["basic realm=x"]), ("realm=x, Basic realm=y", ["basic realm=y"]),
            ("Basic realm=x; y=z", ["basic realm=x y=z"]), ("Basic realm=grüße", ["basic realm=grüße"]),
        ])
    func reading(field: String, schemes: [String]) {
        let read = OfferedScheme.all(in: field).map { scheme in
            ([scheme.name] + scheme.parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }).joined(separator: " ")
        }
        #expect(read == schemes)
    }

    @Test(
        "A delegate is asked about the schemes that can be answered, the strongest first",
        arguments: [
            ("Bearer", []), ("Negotiate, NTLM", []), ("Basic realm=a", ["Basic a"]),
            ("Digest realm=a, nonce=1", ["Digest a"]), ("Digest realm=a", []), ("Digest nonce=1", []),
            ("Basic realm=a, Digest realm=b, nonce=1", ["Digest b", "Basic a"]),
            ("Digest realm=b, nonce=1, Basic realm=a", ["Digest b", "Basic a"]),
            ("Digest realm=a, nonce=1, algorithm=md5", ["Digest a"]),
            ("Digest realm=a, nonce=1, algorithm=\"SHA-256-sess\"", ["Digest a"]),
            ("Digest realm=a, nonce=1, algorithm=SHA-512-256, Basic realm=b", ["Basic b"]),
            // libcurl answers the first.
            ("Digest realm=a, nonce=1, algorithm=SHA-512-256, Digest realm=b, nonce=1", []),
            ("Digest realm=a, nonce=1, algorithm=SHA-256, Digest realm=b, nonce=1", ["Digest a"]),
            ("Basic, Basic realm=a", ["Basic a"]), ("Bearer realm=a, Basic realm=b", ["Basic b"]),
            ("Basic realm=a, Basic realm=b", ["Basic a"]),
        ] as [(String, [String])])
    func answerable(field: String, spaces: [String]) throws {
        let url = try #require(URL(string: "https://here.test/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 401, httpVersion: nil, headerFields: ["WWW-Authenticate": field]))
        let names = [NSURLAuthenticationMethodHTTPBasic: "Basic", NSURLAuthenticationMethodHTTPDigest: "Digest"]
        let challenged = response.challenges.map(\.protectionSpace)
        #expect(challenged.map { "\(names[$0.authenticationMethod] ?? "") \($0.realm ?? "")" } == spaces)
        #expect(challenged.allSatisfy { $0.host == "here.test" && $0.port == 443 })
    }
}

#endif

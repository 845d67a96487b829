import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

// snippet.graphql
/// What a GraphQL server says in the first of its errors.
nonisolated struct GraphQLError: Error, Decodable {
    let message: String
}

nonisolated struct GraphQLAnswer<Value: Decodable & Sendable>:
    Decodable
{
    let data: Value?
    let errors: [GraphQLError]?

    func value() throws -> Value {
        if let error = errors?.first { throw error }
        if let data { return data }
        throw GraphQLError(message: "There is no data.")
    }
}

nonisolated struct GraphQLQuery<Variables: Encodable & Sendable>:
    Encodable, Sendable
{
    let query: String
    let variables: Variables
}

nonisolated extension Endpoint
where Value: Decodable & SendableMetatype {
    static func graphQL(
        _ query: String, variables: some Encodable & Sendable
    ) -> Endpoint {
        let body = GraphQLQuery(query: query, variables: variables)
        let answer = Endpoint<GraphQLAnswer<Value>>(
            .post, "graphql", body: .json(body))
        return answer.map { try $0.value() }
    }
}
// snippet.end

// snippet.graphql-query
nonisolated struct ArtistData: Decodable {
    struct Artist: Decodable { let name: String }

    let artist: Artist?
}

nonisolated extension Endpoint where Value == ArtistData {
    static func artist(_ id: String) -> Endpoint {
        .graphQL(
            "query ($id: ID!) { artist(id: $id) { name } }",
            variables: ["id": id])
    }
}
// snippet.end

/// Recipe: GraphQL.
struct GraphQLRecipe {
    private func client(_ stub: SessionStub) throws -> APIClient {
        APIClient(baseURL: try #require(URL(string: "https://api.test")), session: stub.session)
    }

    /// What the code of an app makes of an answer.
    private func show(_ stub: SessionStub) async throws -> String {
        let client = try client(stub)
        var shown = ""
        func show(_ text: String) { shown = text }

        // snippet.graphql-use
        switch await client.result(for: .artist("7")) {
        case .success(let data):
            show(data.artist?.name ?? "There is no such artist.")
        case .failure(let error):
            let reason = error.underlyingError as? GraphQLError
            show(reason?.message ?? error.localizedDescription)
        }
        // snippet.end
        return shown
    }

    @Test(
        "Errors come in a 200, with data or without",
        arguments: [
            (#"{"data": {"artist": {"name": "Joni"}}}"#, "Joni"),
            (#"{"data": {"artist": null}}"#, "There is no such artist."),
            (#"{"data": null, "errors": [{"message": "Sign in first."}]}"#, "Sign in first."),
            (#"{"data": {"artist": {"name": "Joni"}}, "errors": [{"message": "Partly."}]}"#, "Partly."),
            (#"{"errors": [{"message": "No such field."}]}"#, "No such field."), ("{}", "There is no data."),
            ("[]", "The server's answer could not be read."),
        ])
    func answers(json: String, shown: String) async throws {
        #expect(try await show(SessionStub(.json(json))) == shown)
    }

    @Test("The query and its variables are sent as JSON")
    func sent() async throws {
        let stub = SessionStub(.json(#"{"data": {"artist": null}}"#))
        _ = try await client(stub).result(for: .artist("7 \"")).get()
        let body = try #require(stub.requests.first?.httpBody)
        let sent = try JSONDecoder().decode(Sent.self, from: body)
        #expect(sent.query.contains("artist(id: $id)"))
        #expect(sent.variables == ["id": "7 \""])
        #expect(stub.requests.first?.url?.path == "/graphql")
    }

    private struct Sent: Decodable {
        let query: String
        let variables: [String: String]
    }
}

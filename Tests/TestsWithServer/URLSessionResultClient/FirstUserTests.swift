import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct FirstUserTests {
    private let session = URLSession(configuration: .forTests)

    /// Sequences of several requests.
    enum Kind: CaseIterable, Sendable { case events, linkedPages, pages }

    private func elements(_ kind: Kind, of client: APIClient) -> NetworkSequence<String> {
        let endpoint = Endpoint(.get, "a", decoder: .string())
        switch kind {
        case .linkedPages: return client.pages(for: endpoint)
        case .pages:
            return client.pages(for: endpoint) { page in Endpoint(.get, "\(page.utf8.count)", decoder: .string()) }
        case .events:
            return NetworkSequence {
                var events = client.events(for: endpoint, random: \.lowerBound, sleep: { _ in }).makeAsyncIterator()
                return { actor throws(NetworkError) in try await events.next(isolation: actor)?.data }
            }
        }
    }

    /// A page, which is also an event.
    private static func page(_ number: Int) -> LoopbackServer.Response {
        .ok(
            String(repeating: ":\n", count: number) + "id: secret-of-a\ndata: 1\n\n",
            headers: ["Content-Type": "text/event-stream", "Link": "</\(number + 1)>; rel=next"])
    }

    @Test(
        "Events and pages don't go on with the token of the next user, and those of that user begin",
        arguments: Kind.allCases, [true, false])
    func nextUser(_ kind: Kind, hasRetry: Bool) async throws {
        let server = try LoopbackServer(Self.page(1))
        let token = TokenAuthentication("a", for: server.url()) { _ in .success("b2") }
        let client = APIClient(
            baseURL: server.url(), session: session, middleware: hasRetry ? [Retry(), token] : [token])
        var elements = elements(kind, of: client).makeAsyncIterator()
        #expect(try await elements.next() != nil)
        token.signOut()
        token.signIn("b")
        let error = await #expect(throws: NetworkError.self) { try await elements.next() }
        #expect(error?.urlError?.code == .userAuthenticationRequired)
        #expect(try await elements.next() == nil)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a"])

        var others = self.elements(kind, of: client).makeAsyncIterator()
        #expect(try await others.next() != nil)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a", "Bearer b"])
        #expect(server.requests.last?.header("Last-Event-ID") == nil)
    }

    @Test("They go on with a refreshed token, and end with the user", arguments: Kind.allCases)
    func sameUser(_ kind: Kind) async throws {
        let server = try LoopbackServer.inTurn(Self.page(1), .status(401), Self.page(2))
        let token = TokenAuthentication("a", for: server.url()) { _ in .success("a2") }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [token])
        var elements = elements(kind, of: client).makeAsyncIterator()
        #expect(try await elements.next() != nil)
        #expect(try await elements.next() != nil)
        token.signOut()
        let error = await #expect(throws: NetworkError.self) { try await elements.next() }
        #expect(error?.urlError?.code == .userAuthenticationRequired)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a", "Bearer a", "Bearer a2"])
    }
}

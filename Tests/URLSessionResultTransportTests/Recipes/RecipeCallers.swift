import Foundation
import Testing
import URLSessionResult

/// The recipes as the code of an app calls them. Most of this holds when it compiles, so the same calls stand here twice: the
/// compiler checks them for the actor that they stand in.
@Suite("Recipes, called from actors", .inTurn)
struct RecipeCallers {
    @MainActor
    @Test("From a view model on the main actor")
    func mainActor() async throws {
        let model = ViewModel(try RecipeServer())
        try await model.load()
        #expect(model.albums.count == 4)
        #expect(model.texts == ["[]", "[]", "a"])
    }

    @Test("From an actor")
    func otherActor() async throws {
        let store = Store(try RecipeServer())
        try await store.load()
        #expect(await store.albums.count == 4)
        #expect(await store.texts == ["[]", "[]", "a"])
    }
}

@MainActor
private final class ViewModel {
    private(set) var albums: [Album] = []
    private(set) var texts: [String] = []
    private let server: RecipeServer
    private let session = URLSession(configuration: .forTests)

    init(_ server: RecipeServer) { self.server = server }

    func load() async throws {
        let request = URLRequest(url: server.empty)
        let text = await Retry().result(of: request) { request in
            await self.session.dataResult(for: request, decoder: .string())
        }
        texts.append(try text.get())
        let tokens = TokenStore(tokens: Tokens(accessToken: "1"), save: { _ in }) { [session, server] _ in
            await session.dataResult(from: server.empty, decoder: .json())
        }
        let client = AuthorizedClient(session: session, api: server.empty, tokens: tokens)
        texts.append(try await client.result(for: request, decoder: .string()).get())
        albums = try await allAlbums(from: server.albums, token: "secret", in: session)
        albums += try await AlbumsCache(session: session, url: server.albums).load()
        albums += try await session.dataResult(from: server.albums, decoder: .otherAlbums).get()
        try await EventSource(session: session, url: server.events, sleep: { _ in }).follow { event in
            await self.receive(event)
        }
        let folder = TemporaryFolder()
        let file = folder.file("file")
        try await ResumableDownload(session: session, request: URLRequest(url: server.empty), destination: file).run()
        try await upload(cover: file, titled: "title", to: server.empty, in: session)
        _ = await session.dataResult(from: server.empty, delegate: SecretHeader(name: "X-Api-Key"))
        let query = try #require(server.empty.appendingQuery([URLQueryItem(name: "a", value: "+")]))
        _ = await session.dataResult(from: query, decoder: .ignored)
        let form = URLRequest(url: server.empty, form: [("a", "b")])
        _ = await session.loggedResult(for: form, decoder: .ignored) { #expect($0.request.httpMethod == "POST") }
        _ = await session.dataResult(from: server.empty, delegate: MetricsDelegate { print($0.redirectCount) })
        let response = try await session.dataResult(
            from: server.albums, decoder: .response(.data), accepting: 0...999
        ).get()
        albums += try response.result(decoder: .json([Album].self)).get()
    }

    private func receive(_ event: ServerSentEvent) { texts.append(event.data) }
}

private actor Store {
    private(set) var albums: [Album] = []
    private(set) var texts: [String] = []
    private let server: RecipeServer
    private let session = URLSession(configuration: .forTests)

    init(_ server: RecipeServer) { self.server = server }

    func load() async throws {
        let request = URLRequest(url: server.empty)
        let text = await Retry().result(of: request) { request in
            await self.session.dataResult(for: request, decoder: .string())
        }
        texts.append(try text.get())
        let tokens = TokenStore(tokens: Tokens(accessToken: "1"), save: { _ in }) { [session, server] _ in
            await session.dataResult(from: server.empty, decoder: .json())
        }
        let client = AuthorizedClient(session: session, api: server.empty, tokens: tokens)
        texts.append(try await client.result(for: request, decoder: .string()).get())
        albums = try await allAlbums(from: server.albums, token: "secret", in: session)
        albums += try await AlbumsCache(session: session, url: server.albums).load()
        albums += try await session.dataResult(from: server.albums, decoder: .otherAlbums).get()
        try await EventSource(session: session, url: server.events, sleep: { _ in }).follow { event in
            await self.receive(event)
        }
        let folder = TemporaryFolder()
        let file = folder.file("file")
        try await ResumableDownload(session: session, request: URLRequest(url: server.empty), destination: file).run()
        try await upload(cover: file, titled: "title", to: server.empty, in: session)
        _ = await session.dataResult(from: server.empty, delegate: SecretHeader(name: "X-Api-Key"))
        let query = try #require(server.empty.appendingQuery([URLQueryItem(name: "a", value: "+")]))
        _ = await session.dataResult(from: query, decoder: .ignored)
        let form = URLRequest(url: server.empty, form: [("a", "b")])
        _ = await session.loggedResult(for: form, decoder: .ignored) { #expect($0.request.httpMethod == "POST") }
        _ = await session.dataResult(from: server.empty, delegate: MetricsDelegate { print($0.redirectCount) })
        let response = try await session.dataResult(
            from: server.albums, decoder: .response(.data), accepting: 0...999
        ).get()
        albums += try response.result(decoder: .json([Album].self)).get()
    }

    private func receive(_ event: ServerSentEvent) { texts.append(event.data) }
}

/// A server for every recipe.
private struct RecipeServer: Sendable {
    private let server: LoopbackServer

    init() throws {
        let eventRequests = Monitor(0)
        server = try LoopbackServer { request, connection in
            switch request.path {
            case "/albums": try connection.respond(body: #"[{"artist": "A", "name": "N", "year": 1976}]"#)
            case "/events":
                let isFirst = eventRequests.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst {
                    try connection.respond(headers: ["Content-Type": "text/event-stream"], body: "data: a\n\n")
                } else {
                    try connection.respond(204)
                }
            default: try connection.respond(body: "[]")
            }
        }
    }

    var albums: URL { server.url("/albums") }
    var events: URL { server.url("/events") }
    var empty: URL { server.url("/empty") }
}

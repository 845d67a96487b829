import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The recipes as the code of an app calls them. Most of this holds when it compiles, so the same calls stand here twice: the
/// compiler checks them for the actor that they stand in.
@Suite(.inTurn)
struct RecipeCallers {
    @MainActor
    @Test("From a view model on the main actor")
    func mainActor() async throws {
        let model = ViewModel(try RecipeServer())
        try await model.load()
        #expect(model.albums.count == 2)
    }

    @Test("From an actor")
    func otherActor() async throws {
        let store = Store(try RecipeServer())
        try await store.load()
        #expect(await store.albums.count == 2)
    }
}

@MainActor
private final class ViewModel {
    private(set) var albums: [Album] = []
    private let server: RecipeServer
    private let session = URLSession(configuration: .forTests)

    init(_ server: RecipeServer) { self.server = server }

    func load() async throws {
        albums = try await session.dataResult(from: server.albums, decoder: .otherAlbums).get()
        _ = await session.dataResult(from: server.empty, delegate: SecretHeader(name: "X-Api-Key"))
        _ = await session.dataResult(from: server.empty, delegate: MetricsDelegate { print($0.redirectCount) })
        let response = try await session.dataResult(
            from: server.albums, decoder: .response(.data), accepting: 0...999
        ).get()
        albums += try response.decode(with: .json([Album].self), accepting: 200..<300).get()
    }
}

private actor Store {
    private(set) var albums: [Album] = []
    private let server: RecipeServer
    private let session = URLSession(configuration: .forTests)

    init(_ server: RecipeServer) { self.server = server }

    func load() async throws {
        albums = try await session.dataResult(from: server.albums, decoder: .otherAlbums).get()
        _ = await session.dataResult(from: server.empty, delegate: SecretHeader(name: "X-Api-Key"))
        _ = await session.dataResult(from: server.empty, delegate: MetricsDelegate { print($0.redirectCount) })
        let response = try await session.dataResult(
            from: server.albums, decoder: .response(.data), accepting: 0...999
        ).get()
        albums += try response.decode(with: .json([Album].self), accepting: 200..<300).get()
    }
}

/// A server for every recipe.
private struct RecipeServer: Sendable {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { request, connection in
            switch request.path {
            case "/albums": try connection.respond(body: #"[{"id": 7, "title": "N", "releasedAt": 0}]"#)
            default: try connection.respond(body: "[]")
            }
        }
    }

    var albums: URL { server.url("/albums") }
    var empty: URL { server.url("/empty") }
}

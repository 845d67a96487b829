import AlbumsClient
import Foundation
import TestSupport
import Testing
import URLSessionResultClient

@testable import download_image
@testable import echo_value
@testable import fetch_post
@testable import search_songs
@testable import stream_chat
@testable import top_movies

/// The clients of the examples, called from a target where the main actor owns everything that says nothing else, as Xcode
/// makes them. Most of this holds when it compiles, so the same calls stand here twice.
@Suite("The clients, called from actors", .serialized)
struct MainActorTests {
    @Test("From a view model on the main actor")
    func mainActor() async throws {
        try await withServerAndImage { server, image in
            let model = await ViewModel(server: server)
            try await model.load(image)
            let lines = await model.lines
            #expect(lines == expectedLines)
        }
    }

    @Test("From an actor")
    func otherActor() async throws {
        try await withServerAndImage { server, image in
            let store = Store(server: server)
            try await store.load(image)
            let lines = await store.lines
            #expect(lines == expectedLines)
        }
    }
}

final class ViewModel {
    private let albums: APIClient
    private let songs: SongsAPI
    private let movies: any MoviesServiceable
    private let posts: any PostGateway
    private let echoes: any EchoGateway
    private let images: any ImageGateway
    private let chat: ChatAPI
    private(set) var lines: [String] = []

    init(server: URL) {
        albums = APIClient(baseURL: server.appending(path: "albums"))
        songs = SongsAPI(server: server)
        movies = MoviesService(server: server, token: "token")
        posts = NetworkPostGateway(server: server)
        echoes = NetworkEchoGateway(server: server)
        images = NetworkImageGateway()
        chat = ChatAPI(server: server, refreshToken: "example")
    }

    func load(_ image: ImageParameters) async throws {
        lines.append(try await albums.result(for: .albums).get()[0].name)
        lines.append(try await songs.searchSongs(by: "blue").get()[0].trackName)
        lines.append(try await movies.getTopRated().get().results[0].title)
        lines.append(try await posts.fetch(with: PostParameters(id: 1)).title)
        lines.append(try await echoes.fetch(with: EchoParameters(value: "echo")).value)
        lines.append(try await images.fetch(with: image) { _ in }.format)
        lines.append("")
        for try await text in chat.answer(to: "Why?", by: "small") { lines[6] += text }
    }
}

actor Store {
    private let albums: APIClient
    private let songs: SongsAPI
    private let movies: any MoviesServiceable
    private let posts: any PostGateway
    private let echoes: any EchoGateway
    private let images: any ImageGateway
    private let chat: ChatAPI
    private(set) var lines: [String] = []

    init(server: URL) {
        albums = APIClient(baseURL: server.appending(path: "albums"))
        songs = SongsAPI(server: server)
        movies = MoviesService(server: server, token: "token")
        posts = NetworkPostGateway(server: server)
        echoes = NetworkEchoGateway(server: server)
        images = NetworkImageGateway()
        chat = ChatAPI(server: server, refreshToken: "example")
    }

    func load(_ image: ImageParameters) async throws {
        lines.append(try await albums.result(for: .albums).get()[0].name)
        lines.append(try await songs.searchSongs(by: "blue").get()[0].trackName)
        lines.append(try await movies.getTopRated().get().results[0].title)
        lines.append(try await posts.fetch(with: PostParameters(id: 1)).title)
        lines.append(try await echoes.fetch(with: EchoParameters(value: "echo")).value)
        lines.append(try await images.fetch(with: image) { _ in }.format)
        lines.append("")
        for try await text in chat.answer(to: "Why?", by: "small") { lines[6] += text }
    }
}

nonisolated private let expectedLines = [
    "A Love Supreme", "Blue in Green", "The Godfather", "three optionals", "echo", "PNG",
    "You ask: Why? That is a good question.",
]

nonisolated private func withServerAndImage(
    _ body: @escaping @Sendable (URL, ImageParameters) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        try await withExampleServer { root async throws in
            let image = ImageParameters(
                url: root.appending(path: "image.png"), destination: folder.appending(path: "image.png"))
            try await body(root, image)
        }
    }
}

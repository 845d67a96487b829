import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.main-actor-model
nonisolated struct Album: Decodable {
    let artist: String
    let name: String
}
// snippet.end

// snippet.main-actor-decoder
extension ResultDecoder where T == [Album] {
    nonisolated static let albums = ResultDecoder.json().map { albums in
        albums.sorted { $0.name < $1.name }
    }
}
// snippet.end

// snippet.main-actor-binary
nonisolated struct Cover {
    let bytes: Data

    init?(data: Data) {
        guard data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            return nil
        }
        bytes = data
    }
}

extension ResultDecoder where T == Cover {
    nonisolated static let cover = ResultDecoder.binary(
        Cover.init(data:))
}
// snippet.end

// snippet.main-actor-view-model
@MainActor
final class AlbumsViewModel {
    private(set) var albums: [Album] = []
    private(set) var message: String?
    private let session: URLSession
    private let url: URL

    init(session: URLSession, url: URL) {
        self.session = session
        self.url = url
    }

    func load() async {
        let result = await session.dataResult(
            from: url, decoder: .json([Album].self))
        show(result)
    }

    func show(_ result: Result<[Album], NetworkError>) {
        switch result {
        case .success(let albums): self.albums = albums
        case .failure(let error): message = error.localizedDescription
        }
    }
}
// snippet.end

// snippet.main-actor-delegate
/// Follows no redirect. It is called on the session's delegate queue.
nonisolated final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
// snippet.end

// snippet.main-actor-handler
func reload(_ model: AlbumsViewModel, from url: URL) {
    URLSession.shared.dataTask(
        with: url, decoder: .json([Album].self)
    ) { result in
        Task { @MainActor in
            model.show(result)
        }
    }.resume()
}
// snippet.end

/// Using it under main-actor default isolation.
struct MainActorIsolation {
    @Test("A view model is changed on the main actor")
    func load() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let model = AlbumsViewModel(session: .shared, url: url)
        await model.load()
        #expect(model.albums.isEmpty)
        #expect(model.message?.contains("127.0.0.1:1") == true)
    }

    @Test("A constant decoder is there for everybody")
    func constant() throws {
        #expect(try ResultDecoder.albums.decode(.success(Data("[]".utf8))).get().isEmpty)
        #expect(throws: NetworkError.self) { try ResultDecoder.cover.decode(.success(Data())).get() }
    }

    @Test("A stub answers here, too")
    func stub() async throws {
        let url = try #require(URL(string: "https://albums.test/"))
        let stub = SessionStub { _ in .json("[]") }
        let model = AlbumsViewModel(session: stub.session, url: url)
        await model.load()
        #expect(model.message == nil)
    }
}

import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Getting started")
struct GettingStarted {
    private let session: URLSession
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://albums.test/getting-started.json"))
        session = StubProtocol.session(answering: url, with: .response(body: albumsJSON))
    }

    @Test("A handler is given one value")
    func handler() async {
        await confirmation { confirmed in
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                @Sendable func show(_ albums: [Album]) {
                    #expect(albums.map(\.year) == [1976, 1972])
                    confirmed()
                    done.resume()
                }
                @Sendable func show(_ error: NetworkError) { done.resume() }

                // snippet.first-task
                session.dataTask(with: url, decoder: .jsonValues(of: Album.self)) { result in
                    switch result {
                    case .success(let albums): show(albums)
                    case .failure(let error): show(error)
                    }
                }.resume()
                // snippet.end
            }
        }
    }

    @Test("The async twin returns it")
    func twin() async {
        func show(_ albums: [Album]) { #expect(albums.count == 2) }
        func show(_ error: NetworkError) { Issue.record(error) }

        // snippet.first-await
        switch await session.dataResult(from: url, decoder: .jsonValues(of: Album.self)) {
        case .success(let albums): show(albums)
        case .failure(let error): show(error)
        }
        // snippet.end
    }

    @Test("get() throws the error")
    func throwing() async throws {
        // snippet.first-get
        let result = await session.dataResult(from: url, decoder: .jsonValues(of: Album.self))
        let albums = try result.get()
        // snippet.end
        #expect(albums.count == 2)
    }

    @Test("A request may carry JSON")
    func put() async throws {
        @Sendable func show(_ error: NetworkError) { Issue.record(error) }

        let album = Album(artist: "Joni Mitchell", name: "Blue", year: 1971)
        // snippet.put
        var request = URLRequest(url: url, method: .put)
        try request.setJSONBody(album)

        let task = session.dataTask(
            with: request,
            errorHandler: { error in
                if let error { show(error) }
            })
        task.resume()
        // snippet.end
        let encoded = try #require(request.httpBody)
        #expect(try JSONDecoder().decode(Album.self, from: encoded) == album)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test("Accepted codes are a collection of numbers")
    func accepting() async {
        let request = URLRequest(url: url)
        // snippet.accepting
        let result = await session.dataResult(for: request, accepting: [200, 304])
        // snippet.end
        #expect(throws: Never.self) { try result.get() }
    }
}

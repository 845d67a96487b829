import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

/// Moving from completion handlers.
struct MovingFromCompletionHandlers {
    private let log = Log()

    @Test("Both ways give the same albums")
    func counterparts() async throws {
        let url = try #require(URL(string: "https://albums.test/moving.json"))
        let session = SessionStub(.json(albumsJSON)).session
        await withTaskGroup { group in
            for task in [byHand, withCounterpart] { group.addTask { await task(session, url) } }
        }
        #expect(log.texts == ["2 albums", "2 albums"])
    }

    private func byHand(_ session: URLSession, _ url: URL) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ albums: [Album]) {
                log.append("\(albums.count) albums")
                done.resume()
            }
            @Sendable func show(_ error: any Error) { done.resume() }

            // snippet.by-hand
            session.dataTask(with: url) { data, response, error in
                let statusCode = (response as? HTTPURLResponse)?.statusCode ?? 200
                if let error {
                    show(error)
                } else if !(200..<300).contains(statusCode) {
                    show(StatusError(statusCode))
                } else if let data {
                    do {
                        show(try JSONDecoder().decode([Album].self, from: data))
                    } catch {
                        show(error)
                    }
                } else {
                    show(NoDataError())
                }
            }.resume()
            // snippet.end
        }
    }

    private func withCounterpart(_ session: URLSession, _ url: URL) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ albums: [Album]) {
                log.append("\(albums.count) albums")
                done.resume()
            }
            @Sendable func show(_ error: any Error) { done.resume() }

            // snippet.with-counterpart
            session.dataTask(with: url, decoder: .json([Album].self)) { result in
                switch result {
                case .success(let albums): show(albums)
                case .failure(let error): show(error)
                }
            }.resume()
            // snippet.end
        }
    }

    @Test("A handler that is kept makes a result with status and headers")
    func keptHandler() async throws {
        let url = try #require(URL(string: "https://albums.test/kept.json"))
        let session = SessionStub(.json(albumsJSON, statusCode: 203, headers: ["ETag": "v1"])).session
        let log = log
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ value: Any) {
                log.append("\(value)")
                if log.texts.count == 2 { done.resume() }
            }

            // snippet.kept-handler
            session.dataTask(with: url) { data, response, error in
                let result = Result<NetworkResponse<Data>, NetworkError>(
                    data: data, response: response, error: error)
                switch result {
                case .success(let response):
                    show(response.httpResponse?.statusCode ?? 0)
                    show(response.header("ETag") ?? "no tag")
                case .failure(let error):
                    show(error)
                }
            }.resume()
            // snippet.end
        }
        #expect(log.texts == ["203", "v1"])
    }

    @Test("What was a URLError is in the NetworkError")
    func catchingURLErrors() async throws {
        let url = try #require(URL(string: "https://albums.test/catching.json"))
        let session = SessionStub(.failure(URLError(.notConnectedToInternet))).session
        func show(_ error: NetworkError) { Issue.record(error) }

        // snippet.catch-url-error
        func albums() async -> [Album] {
            do {
                return try await session.dataResult(
                    from: url, decoder: .json([Album].self)
                ).get()
            } catch {
                if error.urlError?.code != .notConnectedToInternet {
                    show(error)
                }
                return []
            }
        }
        // snippet.end
        #expect(await albums().isEmpty)
    }

    @Test("A completion of any error gets the NetworkError")
    func anyError() async throws {
        let url = try #require(URL(string: "https://albums.test/any-error.json"))
        let session = SessionStub(.response(statusCode: 404)).session

        // snippet.map-error
        func loadAlbums(
            completion: @escaping @Sendable (Result<[Album], any Error>) -> Void
        ) {
            let task = session.dataTask(
                with: url, decoder: .json([Album].self)
            ) { result in
                completion(result.mapError { $0 })
            }
            task.resume()
        }
        // snippet.end
        let error = await #expect(throws: NetworkError.self) {
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<[Album], any Error>) in
                loadAlbums { result in done.resume(with: result) }
            }
        }
        #expect(error?.statusCode == 404)
    }

    @Test("A generic client asks for SendableMetatype")
    func genericClient() async throws {
        let url = try #require(URL(string: "https://albums.test/generic-client.json"))
        let session = SessionStub(.json(albumsJSON)).session

        // snippet.generic-client
        func load<T: Decodable & SendableMetatype>(
            _ type: T.Type, from url: URL
        ) async throws(NetworkError) -> T {
            try await session.dataResult(from: url, decoder: .json(type)).get()
        }
        // snippet.end
        #expect(try await load([Album].self, from: url).count == 2)
    }
}

private struct StatusError: Error {
    init(_ statusCode: Int) {}
}

private struct NoDataError: Error {}

import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

/// Getting started.
struct GettingStarted {
    private let session: URLSession
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://albums.test/"))
        session = SessionStub(.json(albumsJSON)).session
    }

    @Test("get() throws a NetworkError, whose cases can be caught")
    func throwing() async throws {
        var printed: [String] = []
        func print(_ albums: [Album]) { printed.append("\(albums.count) albums") }
        func print(_ text: String) { printed.append(text) }

        // snippet.typed-catch
        do {
            let albums = try await session.dataResult(
                from: url, decoder: .json([Album].self)
            ).get()
            print(albums)
        } catch .serverError(let statusCode, _) {
            print("The server answered with status \(statusCode).")
        } catch {
            print(error.localizedDescription)
        }
        // snippet.end
        #expect(printed == ["2 albums"])
    }

    @Test("A handler gets one value")
    func handler() async {
        await confirmation { confirmed in
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                @Sendable func print(_ albums: [Album]) {
                    #expect(albums.map(\.year) == [1976, 1972])
                    confirmed()
                    done.resume()
                }
                @Sendable func print(_ text: String) { done.resume() }

                // snippet.first-task
                session.dataTask(with: url, decoder: .json([Album].self)) { result in
                    switch result {
                    case .success(let albums): print(albums)
                    case .failure(let error): print(error.localizedDescription)
                    }
                }.resume()
                // snippet.end
            }
        }
    }

    @Test("A request may carry JSON, and more status codes may be accepted")
    func put() async throws {
        struct Album: Codable, Equatable {
            let artistName: String
            let collectionName: String
        }
        // snippet.put
        let album = Album(
            artistName: "Joni Mitchell", collectionName: "Blue")
        let request = try URLRequest(url: url, method: .put, json: album)

        let task = session.dataTask(
            with: request,
            errorHandler: { error in
                if let error { print(error.localizedDescription) }
            })
        task.resume()
        // snippet.end
        let encoded = try #require(request.httpBody)
        #expect(try JSONDecoder().decode(Album.self, from: encoded) == album)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")

        // snippet.accepting
        let saved = await session.dataResult(
            for: request, accepting: [200, 201])
        // snippet.end
        #expect(throws: Never.self) { try saved.get() }
    }

    @Test("A labelled closure gets the progress, and the method returns the result")
    func progress() async throws {
        // snippet.progress-label
        let bytes = await session.dataResult(
            from: url,
            progress: { progress in print(progress.completedBytes) })
        // snippet.end
        #expect(try bytes.get() == Data(albumsJSON.utf8))
    }

    @Test("Without a label, a closure gets the progress, too")
    func progressWithoutLabel() async throws {
        // It compiles: the closure is given a `TransferProgress`, and what the method returns is the result.
        let bytes = await session.dataResult(from: url) { (_: TransferProgress) in }
        #expect(try bytes.get() == Data(albumsJSON.utf8))
    }

    @Test("0...999 accepts any status code", arguments: [200, 304, 404, 599])
    func anyStatusCode(statusCode: Int) async throws {
        let session = SessionStub(.response(statusCode: statusCode)).session
        let result = await session.dataResult(from: url, decoder: .response(.data), accepting: 0...999)
        #expect(try result.get().statusCode == statusCode)
    }
}

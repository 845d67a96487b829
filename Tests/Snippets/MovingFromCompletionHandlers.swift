import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Moving from completion handlers")
struct MovingFromCompletionHandlers {
    private let log = Log()

    @Test("Both ways give the same albums")
    func twins() async throws {
        let url = try #require(URL(string: "https://albums.test/moving.json"))
        let session = StubProtocol.session(
            answering: url, with: .response(body: #"[{"artist": "A", "name": "N", "year": 1976}]"#))
        await withTaskGroup { group in
            for task in [byHand, withTwin] { group.addTask { await task(session, url) } }
        }
        #expect(log.texts == ["1 album", "1 album"])
    }

    private func byHand(_ session: URLSession, _ url: URL) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ albums: [Album]) {
                log.append("\(albums.count) album")
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

    private func withTwin(_ session: URLSession, _ url: URL) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ albums: [Album]) {
                log.append("\(albums.count) album")
                done.resume()
            }
            @Sendable func show(_ error: any Error) { done.resume() }

            // snippet.with-twin
            session.dataTask(with: url, decoder: .jsonArray(of: Album.self)) { result in
                switch result {
                case .success(let albums): show(albums)
                case .failure(let error): show(error)
                }
            }.resume()
            // snippet.end
        }
    }
}

private struct StatusError: Error {
    init(_ statusCode: Int) {}
}

private struct NoDataError: Error {}

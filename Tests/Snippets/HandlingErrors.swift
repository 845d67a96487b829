import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet.api-error
struct APIError: Decodable {
    let code: String
    let message: String
}

extension NetworkError {
    /// What the API says about a request that it refused.
    var apiError: APIError? {
        try? response?.decode(with: .json(APIError.self, at: "error")).get()
    }
}
// snippet.end

@Suite("Handling errors")
struct HandlingErrors {
    @Test("A switch covers everything that can go wrong")
    func allCases() {
        func handle(_ error: NetworkError) -> String {
            // snippet.cases
            switch error {
            case .transportError:
                "the exchange with the server failed"
            case .serverError(let statusCode, let response):
                "the server answered \(statusCode), with \(response.body.count) bytes"
            case .noData:
                "neither data nor an error"
            case .decodingError:
                "the body is not what the decoder wants"
            case .encodingError:
                "the body of the request could not be made"
            }
            // snippet.end
        }
        #expect(handle(.noData) == "neither data nor an error")
    }

    @Test("The usual questions have an answer of their own")
    func usualQuestions() {
        var log: [String] = []
        func signIn() { log.append("sign in") }
        func retry() { log.append("retry") }
        func show(_ text: String) { log.append(text) }

        let response = HTTPURLResponse(
            url: URL(fileURLWithPath: "/"), statusCode: 401, httpVersion: nil, headerFields: nil)
        let refused = NetworkError(data: nil, response: response, error: nil)
        let errors: [NetworkError] = [
            .transportError(URLError(.cancelled)), .transportError(URLError(.timedOut)), refused ?? .noData, .noData,
        ]
        for error in errors {
            // snippet.questions
            if error.isCancelled { continue }
            if error.statusCode == 401 { signIn() }
            if error.urlError?.code == .timedOut { retry() }
            show(error.localizedDescription)
            // snippet.end
        }
        #expect(log.count == 5)
        #expect(log.contains("sign in") && log.contains("retry"))
    }

    @Test("The body of a refusal is there to be decoded")
    func refusal() async throws {
        let url = try #require(URL(string: "https://albums.test/refusal.json"))
        let session = StubProtocol.session(
            answering: url,
            with: .response(
                statusCode: 429, headers: ["Retry-After": "30"],
                body: #"{"error": {"code": "busy", "message": "Come back later."}}"#))
        var shown: [String] = []
        func show(_ text: String?) { shown.append(text ?? "nothing") }

        // snippet.refusal
        if case .failure(let error) = await session.dataResult(from: url) {
            show(error.apiError?.message)
            show(error.response?.header("Retry-After"))
        }
        // snippet.end
        #expect(shown == ["Come back later.", "30"])
    }

    @Test("A body that cannot be decoded may be kept")
    func undecodableBody() async throws {
        let url = try #require(URL(string: "https://albums.test/undecodable.json"))
        let session = StubProtocol.session(answering: url, with: .response(body: "<html>"))
        let request = URLRequest(url: url)
        var kept = Data()
        func keep(_ body: Data, _ error: NetworkError) { kept = body }

        // snippet.undecodable-body
        let response = try await session.dataResult(for: request, decoder: .response(.data)).get()
        let albums = response.decode(with: .jsonArray(of: Album.self))
        if case .failure(let error) = albums { keep(response.body, error) }
        // snippet.end
        #expect(kept == Data("<html>".utf8))
    }

    @Test("What is printed gives nothing away")
    func description() async throws {
        let url = try #require(URL(string: "https://albums.test/printed.json?token=secret"))
        let session = StubProtocol.session(answering: url, with: .response(statusCode: 403, body: "secret"))
        let result = await session.dataResult(from: url)
        #expect("\(result)" == "failure(serverError(statusCode: 403))")
        let album = ResultDecoder.json([Album].self, at: "albums")
        let body = Data(#"{"albums": [{"artist": "A", "name": "N", "year": "1976"}]}"#.utf8)
        let finding = "albums[0].year: expected Int, found a string"
        #expect("\(album.decode(.success(body)))" == "failure(decodingError(\(finding)))")
    }

    @Test("Code that keeps its completion handler has the same errors")
    func completionHandler() async throws {
        let url = try #require(URL(string: "https://albums.test/kept.json"))
        let session = StubProtocol.session(answering: url, with: .response(body: "kept"))
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ result: DataResult) {
                #expect(result.map(\.count).success == 4)
                done.resume()
            }

            // snippet.kept-completion-handler
            session.dataTask(with: url) { data, response, error in
                show(DataResult(data: data, response: response, error: error))
            }.resume()
            // snippet.end
        }
    }
}

extension Result {
    fileprivate var success: Success? { try? get() }
}

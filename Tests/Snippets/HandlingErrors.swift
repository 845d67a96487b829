import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.cases
func explain(_ error: NetworkError) -> String {
    switch error {
    case .transportError(let error):
        "The exchange failed: \(type(of: error))"
    case .serverError(let statusCode, let response):
        "Status \(statusCode), with \(response.body.count) bytes"
    case .noData:
        "There was neither data nor an error"
    case .decodingError(_, let response):
        "Not decodable: \(response?.body.count ?? 0) bytes"
    case .encodingError:
        "The body of the request is not encodable"
    }
}
// snippet.end

// snippet.api-error
nonisolated struct APIError: Decodable {
    let code: String
    let message: String
}

extension NetworkError {
    /// What the API says about a request that it refuses.
    var apiError: APIError? {
        body(with: .json(APIError.self, at: "error"))
    }
}
// snippet.end

// snippet.own-error
nonisolated enum AlbumsError: Error {
    case offline
    case signInRequired
    case rejected(APIError)
    case other(NetworkError)

    init(_ error: NetworkError) {
        if error.requiresSignIn {
            self = .signInRequired
        } else if error.isOffline {
            self = .offline
        } else if let rejection = error.apiError {
            self = .rejected(rejection)
        } else {
            self = .other(error)
        }
    }
}
// snippet.end

/// Handling errors.
struct HandlingErrors {
    private func stub(_ answer: SessionStub.Answer) throws -> (session: URLSession, url: URL) {
        let url = try #require(URL(string: "https://albums.test/?token=secret"))
        return (SessionStub(answer).session, url)
    }

    @Test("A switch covers everything that can go wrong")
    func allCases() async throws {
        #expect(explain(.noData) == "There was neither data nor an error")
        let (session, url) = try stub(.text("four", statusCode: 404))
        let error = await session.dataResult(from: url).failure
        #expect(error.map(explain) == "Status 404, with 4 bytes")
    }

    @Test("The common questions have an answer of their own")
    func commonQuestions() async throws {
        let log = Log()
        func print(_ text: String) { log.append(text) }

        // snippet.questions
        func handle(_ error: NetworkError) {
            if Task.isCancelled {
                return  // Nobody waits for the result any more.
            }
            if error.requiresSignIn {
                print("Sign in again.")
            } else if error.isOffline {
                print("You are offline.")
            } else if error.isTimeout {
                print("Try again later.")
            } else {
                print(error.localizedDescription)
            }
        }
        // snippet.end
        let (session, url) = try stub(.response(statusCode: 401))
        handle(try #require(await session.dataResult(from: url).failure))
        handle(.transportError(URLError(.notConnectedToInternet)))
        handle(.transportError(URLError(.timedOut)))
        handle(.noData)
        withUnsafeCurrentTask { $0?.cancel() }
        handle(.transportError(URLError(.cancelled)))
        #expect(
            log.texts == ["Sign in again.", "You are offline.", "Try again later.", "The server gave no answer."])
    }

    @Test(
        "An SDK maps each error to one of its own",
        arguments: [
            (.response(statusCode: 401), "signInRequired"), (.failure(URLError(.notConnectedToInternet)), "offline"),
            (.json(#"{"error": {"code": "busy", "message": "Try again later."}}"#, statusCode: 503), "rejected: busy"),
            (.response(statusCode: 500), "other: serverError(statusCode: 500)"),
        ] as [(SessionStub.Answer, String)])
    func mapping(answer: SessionStub.Answer, expected: String) async throws {
        let (session, url) = try stub(answer)
        // snippet.use-own-error
        let mapped = await session.dataResult(
            from: url, decoder: .json([Album].self)
        ).mapError(AlbumsError.init)
        // snippet.end
        let name =
            switch try #require(mapped.failure) {
            case .offline: "offline"
            case .signInRequired: "signInRequired"
            case .rejected(let error): "rejected: \(error.code)"
            case .other(let error): "other: \(error)"
            }
        #expect(name == expected)
    }

    @Test("A plain catch has a NetworkError")
    func catching() async throws {
        let (session, url) = try stub(.response(statusCode: 503))
        var printed: [Int] = []
        func print(_ count: Int) { printed.append(count) }

        do {
            let data = try await session.dataResult(from: url).get()
            print(data.count)
        } catch {
            print(error.statusCode ?? 0)  // `error` is a NetworkError.
        }
        #expect(printed == [503])
    }

    @Test("The body of an error response can be decoded")
    func refusal() async throws {
        let (session, url) = try stub(
            .json(
                #"{"error": {"code": "busy", "message": "Try again later."}}"#, statusCode: 429,
                headers: ["Retry-After": "30"]))
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }

        // snippet.refusal
        let result = await session.dataResult(from: url)
        if case .failure(let error) = result {
            print(error.apiError?.message ?? error.localizedDescription)
            print(error.response?.header("Retry-After") ?? "at any time")
        }
        // snippet.end
        #expect(printed == ["Try again later.", "30"])
    }

    @Test("A body that could not be decoded is in the error")
    func undecodableBody() async throws {
        let (session, url) = try stub(.text("<html>"))
        var printed: [String] = []
        func debugPrint(_ error: any Error, _ body: String) { printed.append(body) }

        // snippet.undecodable-body
        let albums = await session.dataResult(
            from: url, decoder: .json([Album].self))
        if case .failure(.decodingError(let error, let response?)) = albums {
            // While you look for a mistake only: both quote values.
            debugPrint(error, String(decoding: response.body, as: UTF8.self))
        }
        // snippet.end
        #expect(printed == ["<html>"])
        #expect(albums.failure?.description == #"decodingError(the body is not valid JSON (it starts with "<"))"#)
    }

    @Test("The errors that the article shows are what is printed")
    func printedErrors() async throws {
        let unreachable = try #require(URL(string: "http://127.0.0.1:1/albums"))
        let missing = try #require(URL(string: "https://albums.test/missing"))
        let invalid = try #require(URL(string: "https://albums.test/invalid"))
        let invalidBody = #"{"albums": [{"artist": "A", "name": "N", "year": "1976"}]}"#
        let sessions = [
            (unreachable, URLSession.shared),
            (missing, SessionStub(.response(statusCode: 404)).session),
            (invalid, SessionStub(.json(invalidBody)).session),
        ]
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Sources/URLSessionResult/URLSessionResult.docc/Articles/HandlingErrors.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").map(String.init)
        let words = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        for (url, session) in sessions {
            let result = await session.dataResult(from: url, decoder: .json([Album].self, at: "albums"))
            let error = try #require(throws: NetworkError.self) { try result.get() }
            #expect(lines.contains("\(error)"))
            #expect(words.contains(error.localizedDescription))
        }
    }

    @Test("Code that keeps its completion handler has the same errors")
    func completionHandler() async throws {
        let (session, url) = try stub(.json(albumsJSON))
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func print(_ result: Result<[Album], NetworkError>) {
                #expect((try? result.get())?.count == 2)
                done.resume()
            }

            // snippet.kept-completion-handler
            session.dataTask(with: url) { data, response, error in
                let result = DataResult(
                    data: data, response: response, error: error)
                print(result.decode(with: .json([Album].self)))
            }.resume()
            // snippet.end
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

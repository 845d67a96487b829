import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

// Nine more tasks, as an app writes them, in at most six lines each. `make lint` counts them, and the test runs them.

enum SecondWeek {
    nonisolated struct Album: Codable, Equatable { let id: Int, name: String }
    nonisolated struct Search: Encodable { let artist: String, tags: [String] }

    /// What an API says in place of a 401.
    nonisolated struct APIError: Decodable { let code: String }

    static func queryFromValue(_ client: APIClient, _ search: Search) async throws -> [Album] {
        // task: query from a value
        let query = try QueryItems(encoding: search)
        let albums = try await client.result(for: Endpoint(.get, "search", query: query, as: [Album].self)).get()
        // end
        return albums
    }

    static func refusal(_ url: URL, _ refresh: @escaping TokenAuthentication.Refresh) -> TokenAuthentication {
        // task: own refusal
        let token = TokenAuthentication("old", for: url, refresh: refresh) { error in
            error.body(with: .json(APIError.self))?.code == "token_expired"
        }
        // end
        return token
    }

    static func basic(_ url: URL) throws -> APIClient {
        // task: basic
        let account = try AccessToken.basic(user: "joni", password: "blue")
        let client = APIClient(baseURL: url, middleware: [TokenAuthentication(account, for: url)])
        // end
        return client
    }

    static func signature(_ url: URL, sign: @escaping @Sendable (URLRequest, Data) -> String) -> RequestAdapter {
        // task: signature of a file
        let signature = RequestAdapter(for: url) { request in
            let body = try request.uploadedFile.map { try Data(contentsOf: $0) } ?? request.httpBody ?? Data()
            request.setValue(sign(request, body), forHTTPHeaderField: "Authorization")
        }
        // end
        return signature
    }

    static func joinedSearch(_ url: URL, _ session: URLSession) -> APIClient {
        // task: joined search
        let client = APIClient(baseURL: url, session: session, middleware: [Retry(), Deduplication()])
        // end
        return client
    }

    static func atMostFour(_ url: URL, _ session: URLSession) -> APIClient {
        // task: four at once
        let client = APIClient(baseURL: url, session: session, middleware: [Retry(), RequestLimit(atOnce: 4)])
        // end
        return client
    }

    static func headersOfFile(_ client: APIClient, _ file: URL) async throws -> String? {
        // task: headers of a file
        let response = try await client.resumableDownloadResponse(for: Endpoint(.get, "albums.zip"), to: file).get()
        let version = response.header("ETag")
        // end
        return version
    }

    static func message(for error: NetworkError) -> String {
        // task: message of a screen
        let message =
            error.isOffline
            ? "You are offline." : error.requiresSignIn ? "Please sign in." : error.localizedDescription
        // end
        return message
    }

    static func backgroundUpload(
        _ client: APIClient, _ form: MultipartForm, _ file: URL, in session: URLSession
    ) async throws -> URLSessionUploadTask {
        // task: background upload
        var request = try client.request(for: Endpoint(.post, "covers"))
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        try await form.write(to: file)
        let task = session.uploadTask(with: request, fromFile: file)
        // end
        return task
    }
}

struct SecondWeekTests {
    private let url = URL(string: "https://api.test") ?? URL(fileURLWithPath: "/")
    private let album = SecondWeek.Album(id: 1, name: "Blue")
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    @Test("A query from a value, Basic, and the message of a screen")
    func values() async throws {
        let stub = SessionStub(.json(#"[{"id": 1, "name": "Blue"}]"#), .response(statusCode: 401))
        var client = try SecondWeek.basic(url)
        client.session = stub.session
        let search = SecondWeek.Search(artist: "Joni Mitchell", tags: ["folk", "live"])
        #expect(try await SecondWeek.queryFromValue(client, search) == [album])
        let request = try #require(stub.requests.first)
        #expect(request.url?.query == "artist=Joni%20Mitchell&tags=folk&tags=live")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Basic am9uaTpibHVl")
        guard case .failure(let error) = await client.result(for: Endpoint(.get, "")) else {
            Issue.record("The server refuses it.")
            return
        }
        #expect(SecondWeek.message(for: error) == "Please sign in.")
        let offline = NetworkError.transportError(URLError(.notConnectedToInternet))
        #expect(SecondWeek.message(for: offline) == "You are offline.")
        #expect(SecondWeek.message(for: .noData) == NetworkError.noData.localizedDescription)
    }

    @Test("What the API says about the token, and a signature of each file")
    func authorization() async throws {
        let stub = SessionStub { request in
            let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return isNew ? .json("[]") : .json(#"{"code": "token_expired"}"#, statusCode: 400)
        }
        let token = SecondWeek.refusal(url) { _ in .success("new") }
        let client = APIClient(baseURL: url, session: stub.session, middleware: [token])
        #expect(try await client.result(for: Endpoint(.get, "albums", as: [Int].self)).get().isEmpty)
        #expect(stub.requests.count == 2)

        let other = SessionStub(.response())
        let signature = SecondWeek.signature(url) { request, body in "\(request.httpMethod ?? "") \(body.count)" }
        let signing = APIClient(baseURL: url, session: other.session, middleware: [signature])
        try Data("cover".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await signing.result(for: Endpoint(.put, "cover", body: .file(file, contentType: "image/png"))).get()
        #expect(other.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["PUT 5"])
    }

    @Test("A search that is joined, and no more than four requests at once")
    func crowds() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub(.stream { _ in try await gate.opened() })
        let search = Endpoint(.get, "search", query: ["q": "Blue"])
        let joined = SecondWeek.joinedSearch(url, stub.session)
        let searches = (0..<8).map { _ in Task { await joined.result(for: search) } }
        let limited = SecondWeek.atMostFour(url, stub.session)
        let covers = (0..<8).map { number in Task { await limited.result(for: Endpoint(.get, "covers/\(number)")) } }
        while stub.requests.count < 5 { await Task.yield() }
        gate.open()
        for task in searches + covers { try await task.value.get() }
        #expect(stub.requests.count { $0.url?.path != "/search" } == 8)
    }

    @Test("The headers of a file, and a form for an upload in the background")
    func files() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = SessionStub(.response(headers: ["ETag": "\"1\""], body: Data("zip".utf8)))
        let client = APIClient(baseURL: url, session: stub.session)
        #expect(try await SecondWeek.headersOfFile(client, file) == "\"1\"")
        let form: MultipartForm = [.field("title", value: "Blue")]
        let task = try await SecondWeek.backgroundUpload(client, form, file, in: stub.session)
        let written = try await form.data()
        #expect(try Data(contentsOf: file) == written)
        #expect(task.originalRequest?.value(forHTTPHeaderField: "Content-Type") == form.contentType)
        task.cancel()
    }
}

import Foundation
import TestSupport
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import top_movies

@Suite("Movies", .serialized)
struct MoviesTests {
    @Test("The list shows what the mocked service gives")
    func list() async throws {
        let table = try await MoviesViewModel(service: MoviesServiceMock()).list()
        #expect(
            table.description == """
                 Id  Title          Year  Rating  Votes
                238  The Godfather  1972     8.7  21500
                129  Spirited Away  2001     8.5  17200
                """
        )
    }

    @Test("The detail shows what the mocked service gives")
    func detail() async throws {
        let text = try await MoviesViewModel(service: MoviesServiceMock()).detail(id: 129)
        #expect(
            text == """
                Spirited Away (2001, 125 minutes)
                8.5 out of 10 by 17200 votes
                A girl and a bathhouse.
                """
        )
    }

    @Test("An error of the service reaches the person")
    func failure() async {
        let viewModel = MoviesViewModel(service: FailingMoviesService(error: .unauthorized))
        await #expect { try await viewModel.list() } throws: { $0.localizedDescription.contains("--token") }
    }

    @Test("The mock and the server give the same shape")
    func server() async throws {
        try await withExampleServer { root async throws in
            let service = MoviesService(server: root, token: "example")
            let movies = try await service.getTopRated().get().results
            #expect(movies.first?.title == "The Godfather")
            #expect(try await service.getMovieDetail(id: 129).get().runtime == 125)
        }
    }

    @Test(
        "Each status and body becomes its case",
        arguments: [
            (401, "", "unauthorized"), (404, "", "unexpectedStatusCode"), (503, "", "unexpectedStatusCode"),
            (200, "{}", "decode"), (200, "<html>", "decode"),
        ]
    )
    func requestErrors(status: Int, body: String, name: String) async {
        let error = await service(.text(body, statusCode: status)).getTopRated().failure
        #expect(error.map { "\($0)".hasPrefix(name) } == true)
        #expect(error?.customMessage.isEmpty == false)
    }

    @Test("No connection is no response, in the library's words")
    func noResponse() async {
        let error = await service(.failure(URLError(.cannotConnectToHost))).getTopRated().failure
        guard case .noResponse(let cause) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(error?.customMessage == cause.localizedDescription)
        #expect(cause.urlError?.code == .cannotConnectToHost)
    }

    @Test("TMDB's own reason comes before the library's")
    func reason() async {
        let answer = SessionStub.Answer.json(
            #"{"status_code": 34, "status_message": "Gone fishing."}"#, statusCode: 404)
        let error = await service(answer).getMovieDetail(id: 1).failure
        #expect(error?.customMessage == "Gone fishing.")
    }

    @Test("The service reads the responses of TMDB, and sends the token")
    func responses() async throws {
        let stub = try SessionStub(.resource("Responses/top_rated_response.json", in: .module))
        let service = MoviesService(server: URL(filePath: "/"), token: "t", session: stub.session)
        #expect(try await service.getTopRated().get().results.map(\.id) == [238, 129])
        #expect(stub.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer t"])
    }

    /// A service whose server has one answer.
    private func service(_ answer: SessionStub.Answer) -> MoviesService {
        MoviesService(server: URL(filePath: "/"), token: "", session: SessionStub(answer).session)
    }

    @Test("An endpoint that makes no URL is an invalid URL")
    func invalidURL() {
        struct Pathless: top_movies.Endpoint { let path = "no slash" }
        #expect { try Pathless().makeRequest() } throws: { error in
            guard case RequestError.invalidURL = error else { return false }
            return true
        }
    }

    @Test("An endpoint has TMDB's address and a plain GET unless it says otherwise")
    func defaults() throws {
        struct Plain: top_movies.Endpoint { let path = "/3/movie/popular" }
        let request = try Plain().makeRequest()
        #expect(request.url?.absoluteString == "https://api.themoviedb.org/3/movie/popular")
        #expect(request.httpMethod == "GET" && request.httpBody == nil)
    }

    @Test("An endpoint's body is sent as JSON")
    func body() throws {
        struct Rating: top_movies.Endpoint {
            let path = "/3/movie/129/rating"
            let method = HTTPMethod.post
            let body: (any Encodable)? = ["value": 8.5]
        }
        let request = try Rating().makeRequest()
        #expect(request.httpMethod == "POST" && request.httpBody == Data(#"{"value":8.5}"#.utf8))
    }
}

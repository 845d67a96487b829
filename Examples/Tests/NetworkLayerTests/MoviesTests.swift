import Foundation
import TestSupport
import Testing
import URLSessionResult

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
    func requestErrors(status: Int, body: String, name: String) async throws {
        try await withServer(answering: status, body) { root async throws in
            let error = await MoviesService(server: root, token: "").getTopRated().failure
            #expect(error.map { "\($0)".hasPrefix(name) } == true)
            #expect(error?.customMessage.isEmpty == false)
        }
    }

    @Test("No connection is no response, in the library's words")
    func noResponse() async throws {
        let server = try #require(URL(string: "http://127.0.0.1:1"))
        let error = await MoviesService(server: server, token: "").getTopRated().failure
        guard case .noResponse(let cause) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(error?.customMessage == cause.localizedDescription)
        #expect(cause.urlError?.code == .cannotConnectToHost)
    }

    @Test("TMDB's own reason comes before the library's")
    func reason() async throws {
        try await withServer(answering: 404, #"{"status_code": 34, "status_message": "Gone fishing."}"#) { root in
            let error = await MoviesService(server: root, token: "").getMovieDetail(id: 1).failure
            #expect(error?.customMessage == "Gone fishing.")
        }
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

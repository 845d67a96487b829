import Foundation
import TestSupport
import Testing
import URLSessionResultClient
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
        let error = RequestError(.transportError(URLError(.notConnectedToInternet)))
        let viewModel = MoviesViewModel(service: FailingMoviesService(error: error))
        await #expect { try await viewModel.list() } throws: { $0.localizedDescription == error.localizedDescription }
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
        "An error that TMDB does not explain has the library's words, except a refused token",
        arguments: [(401, ""), (404, ""), (503, ""), (200, "{}"), (200, "<html>")]
    )
    func requestErrors(status: Int, body: String) async {
        let error = await service(.text(body, statusCode: status)).getTopRated().failure
        #expect(error?.localizedDescription.contains("--token") == (status == 401))
        #expect(status == 401 || error?.localizedDescription == error?.cause.localizedDescription)
    }

    @Test("No connection is a transport error, in the library's words")
    func noConnection() async {
        let error = await service(.failure(URLError(.cannotConnectToHost))).getTopRated().failure
        #expect(error?.localizedDescription == error?.cause.localizedDescription)
        #expect(error?.cause.urlError?.code == .cannotConnectToHost)
    }

    @Test("TMDB's own reason comes before the library's")
    func reason() async {
        let answer = SessionStub.Answer.json(
            #"{"status_code": 34, "status_message": "Gone fishing."}"#, statusCode: 404)
        let error = await service(answer).getMovieDetail(id: 1).failure
        #expect(error?.localizedDescription == "Gone fishing.")
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
}

import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

/// Middleware that removes the URL.
private struct WithoutURL: RequestMiddleware {
    func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        var request = request
        request.url = nil
        return await next(request)
    }
}

/// A request without a URL.
@Suite(.inTurn)
struct RequestWithoutURLTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)
    private let base = URL(fileURLWithPath: "/")

    private var request: URLRequest {
        var request = URLRequest(url: base, method: .post)
        request.url = nil
        return request
    }

    @Test("It is an error where middleware makes it, alone and around others", arguments: RequestKind.allCases)
    func middleware(_ kind: RequestKind) async throws {
        let server = try LoopbackServer(.done)
        let lists: [[any RequestMiddleware]] = [
            [WithoutURL()], [WithoutURL(), RequestAdapter { $0.setValue("1", forHTTPHeaderField: "X-A") }],
        ]
        for middleware in lists {
            let client = APIClient(baseURL: server.url(), session: session, middleware: middleware)
            #expect(await kind.text(client).error?.urlError?.code == .badURL)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("It is an error where an endpoint makes it")
    func endpoint() async throws {
        let client = APIClient(baseURL: base, session: session)
        let endpoint = Endpoint(.get, "a").configured { $0.url = nil }
        #expect(await client.result(for: endpoint).error?.urlError?.code == .badURL)
        do throws(NetworkError) {
            for try await _ in client.events(for: endpoint) {}
            Issue.record("There is no URL.")
        } catch {
            #expect(error.urlError?.code == .badURL)
        }
    }

    @Test("It is an error of a form and of a resumable download")
    func withoutClient() async {
        let form: MultipartForm = [.field("a", value: 1)]
        let sent = await session.uploadResult(for: request, form: form, decoder: .ignored)
        #expect(sent.error?.urlError?.code == .badURL)
        let received = await session.resumableDownloadResult(for: request, to: folder.file("a"))
        #expect(received.error?.urlError?.code == .badURL)
        #expect(folder.contents.isEmpty)
    }
}

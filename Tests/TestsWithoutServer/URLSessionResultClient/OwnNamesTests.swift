import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

// Names that an app may have already. Its own ones win, and the library's are there with the name of the module.

private struct Endpoint { let path: String }

private struct APIClient {
    let base: URL
    func url(for endpoint: Endpoint) -> URL { base.appendingPathComponent(endpoint.path) }
}

private struct Retry {}

/// An app with names of its own.
struct OwnNamesTests {
    @Test("Its types are used beside the library's")
    func names() throws {
        let base = try #require(URL(string: "https://api.test"))
        let own = APIClient(base: base)
        let client = URLSessionResultClient.APIClient(baseURL: base, middleware: [URLSessionResultClient.Retry()])
        let endpoint: URLSessionResultClient.Endpoint<Void> = .init(.get, "albums")
        #expect(try client.request(for: endpoint).url == own.url(for: Endpoint(path: "albums")))
        #expect(MemoryLayout<Retry>.size == 0)
    }
}

import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.decoder-test
@Test("An album has an artist, a name and a year")
func albumDecoder() throws {
    let json = #"[{"artist": "A", "name": "N", "year": 1976}]"#
    let body = Data(json.utf8)
    let decoder = ResultDecoder.json([Album].self)

    let albums = try decoder.decode(.success(body)).get()

    #expect(albums.map(\.year) == [1976])
}
// snippet.end

// snippet.view-model-test
@MainActor
@Test("A timeout is explained")
func timeout() async {
    let model = AlbumsViewModel {
        .failure(.transportError(URLError(.timedOut)))
    }

    await model.refresh()

    let message = model.message ?? ""
    #expect(message.hasPrefix("The server did not answer in time."))
}
// snippet.end

// snippet.handmade-error
@MainActor
@Test("A view model shows the status code")
func statusCode() async throws {
    let response = HTTPURLResponse(
        url: url, statusCode: 403, httpVersion: nil,
        headerFields: ["X-Request-Id": "7"])
    let error = try #require(
        NetworkError(data: Data(), response: response, error: nil))
    let model = AlbumsViewModel { .failure(error) }

    await model.refresh()

    #expect(model.message?.contains("403") == true)
}
// snippet.end

// snippet.own-protocol
/// Answers every request with an empty JSON array.
nonisolated final class EmptyArrayProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        true
    }

    override class func canonicalRequest(
        for request: URLRequest
    ) -> URLRequest {
        request
    }

    override func startLoading() {
        guard let url = request.url else { return }
        let response = URLResponse(
            url: url, mimeType: "application/json",
            expectedContentLength: 2, textEncodingName: nil)
        client?.urlProtocol(
            self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("[]".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
// snippet.end

// snippet.protocol
protocol AlbumsSession: Sendable {
    func dataResult<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError>
}

extension URLSession: AlbumsSession {
    func dataResult<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        await dataResult(
            for: request, decoder: decoder, accepting: 200..<300)
    }
}

struct MockSession: AlbumsSession {
    let result: DataResult

    func dataResult<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        result.decode(with: decoder)
    }
}
// snippet.end

@Test("A session behind a protocol answers, and does not call itself", arguments: [true, false])
func sessionBehindProtocol(isMock: Bool) async throws {
    let stubbed = SessionStub(.json(albumsJSON)).session
    let session: any AlbumsSession = isMock ? MockSession(result: .success(Data(albumsJSON.utf8))) : stubbed
    let albums = await session.dataResult(for: URLRequest(url: url), decoder: .json([Album].self))
    #expect(try albums.get().count == 2)
}

@Test("A protocol by hand answers")
func ownProtocol() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [EmptyArrayProtocol.self]
    let session = URLSession(configuration: configuration)
    #expect(try await session.dataResult(from: url, decoder: .json([Album].self)).get().isEmpty)
}

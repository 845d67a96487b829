import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

// snippet.cover-endpoint
nonisolated struct Receipt: Decodable, Equatable {
    let id: Int
}

nonisolated extension Endpoint where Value == Receipt {
    static func add(cover file: URL, title: String) -> Endpoint {
        Endpoint(
            .post, "covers",
            body: .multipart([
                .field("title", value: title),
                .file("cover", file, contentType: "image/png"),
            ]))
    }
}
// snippet.end

// snippet.files-model
@MainActor
final class FilesModel {
    private(set) var fraction = 0.0
    private(set) var message: String?
    private let client: APIClient

    init(client: APIClient) { self.client = client }

    func upload(_ cover: URL, titled title: String) async -> Receipt? {
        let result = await client.result(
            for: .add(cover: cover, title: title), progress: report)
        return value(of: result)
    }

    /// Continues what an earlier call has begun.
    func download(to file: URL) async -> URL? {
        let album = Endpoint(.get, "album.flac")
        let result = await client.resumableDownloadResult(
            for: album, to: file, progress: report)
        return value(of: result)
    }

    private var report: ProgressHandler {
        { progress in
            let fraction = progress.fractionCompleted ?? 0
            Task { @MainActor in self.fraction = fraction }
        }
    }

    private func value<T>(of result: Result<T, NetworkError>) -> T? {
        switch result {
        case .success(let value): return value
        case .failure where Task.isCancelled: return nil
        case .failure(let error):
            message = error.localizedDescription
            return nil
        }
    }
}
// snippet.end

/// Recipe: files that continue.
struct FilesRecipe {
    private let folder = TemporaryFolder()

    private func client(_ stub: SessionStub, retrying: Bool = false) throws -> APIClient {
        let url = try #require(URL(string: "https://api.test/v1"))
        return APIClient(baseURL: url, session: stub.session, middleware: retrying ? [Retry()] : [])
    }

    @MainActor
    @Test("A form with a file is sent, and the answer is decoded")
    func upload() async throws {
        let stub = SessionStub(.json(#"{"id": 7}"#))
        let model = FilesModel(client: try client(stub))
        let cover = folder.file("cover.png")
        try Data("image".utf8).write(to: cover)
        #expect(await model.upload(cover, titled: "Blue") == Receipt(id: 7))
        #expect(model.message == nil)
        let body = String(decoding: try #require(stub.requests.first?.httpBody), as: UTF8.self)
        #expect(body.contains("name=\"title\"\r\n\r\nBlue\r\n"))
        #expect(body.contains("name=\"cover\"; filename=\"cover.png\"\r\nContent-Type: image/png\r\n\r\nimage\r\n"))
    }

    @MainActor
    @Test("A file that cannot be read is explained, and nothing is sent")
    func missingFile() async throws {
        let stub = SessionStub(.json(#"{"id": 7}"#))
        let model = FilesModel(client: try client(stub))
        #expect(await model.upload(folder.file("nothing"), titled: "Blue") == nil)
        #expect(model.message != nil)
        #expect(stub.requests.isEmpty)
    }

    @MainActor
    @Test("A download that broke off goes on where it stopped")
    func download() async throws {
        let whole = ["ETag": #""1""#, "Content-Length": "6", "Accept-Ranges": "bytes"]
        let rest = ["ETag": #""1""#, "Content-Length": "3", "Content-Range": "bytes 3-5/6"]
        let stub = SessionStub(
            .stream(headers: whole) { body in
                body.write("one")
                throw URLError(.networkConnectionLost)
            }, .text("two", statusCode: 206, headers: rest))
        let model = FilesModel(client: try client(stub))
        let file = folder.file("album.flac")
        #expect(await model.download(to: file) == nil)
        #expect(model.message != nil)
        #expect(await model.download(to: file) == file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "onetwo")
        #expect(stub.requests.last?.value(forHTTPHeaderField: "Range") == "bytes=3-")
        #expect(stub.requests.last?.value(forHTTPHeaderField: "If-Range") == #""1""#)
    }
}

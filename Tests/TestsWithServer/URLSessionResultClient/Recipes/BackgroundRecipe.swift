import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

// snippet.background-delegate
/// Moves downloaded files to a folder.
nonisolated final class BackgroundDownloads:
    NSObject, URLSessionDownloadDelegate
{
    typealias Finished = @Sendable (Result<URL, NetworkError>) -> Void

    private let folder: URL
    private let finished: Finished

    init(folder: URL, finished: @escaping Finished) {
        self.folder = folder
        self.finished = finished
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let result = Result(
            file: location, response: downloadTask.response, error: nil)
        // The system removes the file when this method returns.
        finished(
            result.flatMap { location in
                let file = destination(of: downloadTask)
                // In one step: if it fails, an older file stays.
                guard rename(location.path, file.path) == 0 else {
                    let code = POSIXErrorCode(rawValue: errno) ?? .EIO
                    return .failure(.transportError(POSIXError(code)))
                }
                return .success(file)
            })
    }

    private func destination(of task: URLSessionTask) -> URL {
        let name = task.originalRequest?.url?.lastPathComponent ?? ""
        // `..%2Fname` in a URL would lead out of the folder.
        let isUsable =
            !name.isEmpty && !name.hasPrefix(".")
            && !name.contains("/")
        return folder.appendingPathComponent(isUsable ? name : "file")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let error else { return }
        finished(
            Result(file: nil, response: task.response, error: error))
    }
}
// snippet.end

// snippet.background-start
nonisolated func download<T>(
    _ endpoint: Endpoint<T>, of client: APIClient,
    token: TokenAuthentication, in session: URLSession
) async throws(NetworkError) {
    let request = try client.request(for: endpoint)
    let authorized = try await token.authorized(request)
    session.downloadTask(with: authorized).resume()
}
// snippet.end

/// Recipe: a download by delegate, as in the background.
@Suite(.inTurn)
struct BackgroundRecipe {
    private let folder = TemporaryFolder()

    /// What the delegate is told about one download.
    private func outcome(
        of server: LoopbackServer, at path: EndpointPath = "album.flac", port: Int? = nil, in inner: URL? = nil
    ) async throws -> Result<URL, NetworkError> {
        let (results, found) = AsyncStream.makeStream(of: Result<URL, NetworkError>.self)
        let delegate = BackgroundDownloads(folder: inner ?? folder.url) { found.yield($0) }
        let session = URLSession(
            configuration: .forTests, delegate: RemovingFiles(after: delegate), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let url = port == nil ? server.url() : try #require(URL(string: "http://127.0.0.1:1"))
        let client = APIClient(baseURL: url, session: session)
        let token = TokenAuthentication("secret", for: url)
        try await download(Endpoint(.get, path), of: client, token: token, in: session)
        return try #require(await results.first { _ in true })
    }

    @Test("A file is moved to the folder, and the request has the token")
    func success() async throws {
        let server = try LoopbackServer(.ok("album"))
        try Data("old".utf8).write(to: folder.file("album.flac"))
        let file = try await outcome(of: server).get()
        #expect(file.lastPathComponent == "album.flac")
        #expect(try String(contentsOf: file, encoding: .utf8) == "album")
        #expect(server.requests.first?.header("Authorization") == "Bearer secret")
    }

    @Test("A URL without a name does not take the place of the folder")
    func noName() async throws {
        let server = try LoopbackServer(.ok("root"))
        try Data("kept".utf8).write(to: folder.file("other"))
        let file = try await outcome(of: server, at: "").get()
        #expect(try String(contentsOf: file, encoding: .utf8) == "root")
        #expect(folder.contents == ["file", "other"])
    }

    @Test("A URL does not lead out of the folder", arguments: ["a/..%2Fother", "a/b%2Fother", "a/%2E%2E", ".hidden"])
    func otherFolder(path: String) async throws {
        let server = try LoopbackServer(.ok("new"))
        let inner = folder.file("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        let url = try #require(URL(string: "\(server.url())\(path)"))
        let file = try await outcome(of: server, at: EndpointPath(url), in: inner).get()
        #expect(file.lastPathComponent == "file")
        #expect(try String(contentsOf: file, encoding: .utf8) == "new")
        #expect(folder.contents == ["inner"])
    }

    @Test("If a file cannot be moved, what was there before stays")
    func unmovable() async throws {
        let server = try LoopbackServer(.ok("album"))
        let taken = folder.file("album.flac")
        try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: false)
        try Data("kept".utf8).write(to: taken.appendingPathComponent("other"))
        let error = try await outcome(of: server).error
        #expect((error?.underlyingError as? POSIXError)?.code == .EISDIR)
        #expect(try FileManager.default.contentsOfDirectory(atPath: taken.path) == ["other"])
    }

    @Test("An error response is no file, and keeps its body")
    func rejection() async throws {
        let server = try LoopbackServer(.status(404, "missing"))
        let error = try await outcome(of: server).error
        #expect(error?.statusCode == 404)
        #expect(error?.response?.body == Data("missing".utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.file("album.flac").path))
    }

    @Test("Without a connection, the error is that of the task")
    func failure() async throws {
        let error = try await outcome(of: try LoopbackServer(.ok()), port: 1).error
        #expect(error?.urlError?.code == .cannotConnectToHost)
    }
}

/// Removes the file of a download when the recipe's delegate has seen it, as the system does. FoundationNetworking leaves it.
private final class RemovingFiles: NSObject, URLSessionDownloadDelegate {
    private let delegate: BackgroundDownloads

    init(after delegate: BackgroundDownloads) {
        self.delegate = delegate
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        delegate.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
        try? FileManager.default.removeItem(at: location)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        delegate.urlSession(session, task: task, didCompleteWithError: error)
    }
}

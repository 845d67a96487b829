import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Uploading and downloading with progress")
struct UploadingAndDownloading {
    // Stubs cannot serve downloads on Linux; nobody listens at this address.
    private let session = URLSession(configuration: .ephemeral)
    private let nowhere = "http://127.0.0.1:1/"

    @Test("A download goes to a file of one's choice")
    func download() async throws {
        let url = try #require(URL(string: nowhere))
        let folder = FileManager.default.temporaryDirectory
        let log = Log()
        @Sendable func show(_ fraction: Double?) { log.append("progress") }
        func show(_ file: URL) { log.append("file") }
        func show(_ error: NetworkError) { log.append("error") }

        // snippet.download
        let destination = folder.appendingPathComponent("album.flac")
        let result = await session.downloadResult(from: url, to: destination) { progress in
            show(progress.fractionCompleted)
        }
        switch result {
        case .success(let file): show(file)
        case .failure(let error): show(error)
        }
        // snippet.end
        #expect(log.texts == ["error"])
    }

    @Test("A body too large to hold is decoded from its file")
    func mapped() async throws {
        let url = try #require(URL(string: nowhere))
        // snippet.mapped
        let lastByte = ResultDecoder { data in data.last }
        let result = await session.downloadResult(from: url, decoder: lastByte)
        // snippet.end
        #expect(throws: NetworkError.self) { try result.get() }
    }

    @Test("A temporary file lives as long as the handler runs")
    func temporaryFile() async throws {
        let url = try #require(URL(string: nowhere))
        let log = Log()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ size: UInt64) {}
            @Sendable func show(_ error: NetworkError) {
                log.append("error")
                done.resume()
            }

            // snippet.temporary-file
            session.downloadTask(with: url) { result in
                switch result {
                case .success(let file): show(size(of: file))
                case .failure(let error): show(error)
                }
            }.resume()
            // snippet.end
        }
        #expect(log.texts == ["error"])
    }

    @Test("An upload says how much has been sent")
    func upload() async throws {
        let url = try #require(URL(string: "https://albums.test/upload"))
        let session = StubProtocol.session(answering: url, with: .response(statusCode: 201, body: #"{"id": 7}"#))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("cover".utf8).write(to: file)
        @Sendable func show(_ fraction: Double?) {}

        // snippet.upload
        let request = URLRequest(url: url, method: .post)
        let result = await session.uploadResult(
            for: request, fromFile: file, decoder: .json(Receipt.self)
        ) { progress in
            show(progress.fractionCompleted)
        }
        // snippet.end
        #expect(try result.get().id == 7)
    }

    @Test("Cancelling the Swift task cancels the request")
    func cancellation() async throws {
        let url = try #require(URL(string: "https://albums.test/silence"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [SilentProtocol.self]
        let session = URLSession(configuration: configuration)
        func show(_ error: NetworkError) { Issue.record(error) }
        // snippet.cancellation
        let transfer = Task { await session.dataResult(from: url) }
        transfer.cancel()

        if case .failure(let error) = await transfer.value, !transfer.isCancelled {
            show(error)  // Not if your code cancelled the transfer.
        }
        // snippet.end
        #expect(await transfer.value.failure?.isCancelled == true)
    }
}

/// Never answers.
private final class SilentProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {}

    override func stopLoading() {}
}

struct Receipt: Decodable {
    let id: Int
}

@Sendable private func size(of file: URL) -> UInt64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return attributes?[.size] as? UInt64 ?? 0
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

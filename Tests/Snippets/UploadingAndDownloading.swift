import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

/// Uploads and downloads.
struct UploadingAndDownloading {
    // Stubs cannot serve downloads on Linux; nobody listens at this address.
    private let session = URLSession(configuration: .ephemeral)
    private let nowhere = "http://127.0.0.1:1/"

    @Test("A download goes to a file of one's choice")
    func download() async throws {
        let url = try #require(URL(string: nowhere))
        let folder = FileManager.default.temporaryDirectory
        let log = Log()
        @Sendable func print(_ fraction: Double) { log.append("progress") }
        @Sendable func print(_ text: String) { log.append(text) }

        // snippet.download
        let destination = folder.appendingPathComponent("album.flac")
        let download = await session.downloadResult(
            from: url, to: destination,
            progress: { progress in
                print(progress.fractionCompleted ?? 0)
            })
        switch download {
        case .success(let file): print(file.path)
        case .failure(let error): print(error.localizedDescription)
        }
        // snippet.end
        #expect(log.texts.count == 1)
        #expect(log.texts.first?.contains("127.0.0.1") == true)
    }

    @Test("A large body is decoded from its file")
    func mapped() async throws {
        let url = try #require(URL(string: nowhere))
        // snippet.mapped
        let lastByte = ResultDecoder { data in data.last }
        let byte = await session.downloadResult(from: url, decoder: lastByte)
        // snippet.end
        #expect(throws: NetworkError.self) { try byte.get() }
    }

    @Test("A temporary file lives as long as the handler runs")
    func temporaryFile() async throws {
        let url = try #require(URL(string: nowhere))
        let log = Log()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func print(_ count: Int) {}
            @Sendable func print(_ text: String) {
                log.append("error")
                done.resume()
            }

            // snippet.temporary-file
            session.downloadTask(with: url) { result in
                switch result {
                case .success(let file):
                    print((try? Data(contentsOf: file).count) ?? 0)
                case .failure(let error):
                    print(error.localizedDescription)
                }
            }.resume()
            // snippet.end
        }
        #expect(log.texts == ["error"])
    }

    @Test("An upload says how much has been sent")
    func upload() async throws {
        let url = try #require(URL(string: "https://albums.test/upload"))
        let session = SessionStub(.json(#"{"id": 7}"#, statusCode: 201)).session
        let destination = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: destination) }
        try Data("cover".utf8).write(to: destination)
        @Sendable func print(_ fraction: Double) {}

        // snippet.upload
        nonisolated struct Receipt: Decodable {
            let id: Int
        }

        var request = URLRequest(url: url, method: .post)
        request.setValue(
            "audio/flac", forHTTPHeaderField: "Content-Type")
        let receipt = await session.uploadResult(
            for: request, fromFile: destination,
            decoder: .json(Receipt.self),
            progress: { progress in
                print(progress.fractionCompleted ?? 0)
            })
        // snippet.end
        #expect(try receipt.get().id == 7)
    }

    @MainActor
    @Test("A model shows the progress of a download, by the method or by its task")
    func progressInModel() async throws {
        let url = try #require(URL(string: "https://albums.test/album"))
        let session = SessionStub(.text("album")).session
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }

        // snippet.progress-model
        @MainActor
        final class DownloadModel {
            private(set) var fraction = 0.0
            private(set) var message: String?

            func download(
                _ url: URL, to file: URL, in session: URLSession
            ) async {
                let result = await session.downloadResult(
                    from: url, to: file,
                    progress: { progress in
                        let fraction = progress.fractionCompleted ?? 0
                        Task { @MainActor in self.fraction = fraction }
                    })
                switch result {
                case .success: message = "Saved."
                case .failure(let error):
                    message = error.localizedDescription
                }
            }
        }
        // snippet.end
        let model = DownloadModel()
        await model.download(url, to: file, in: session)
        #expect(model.message == "Saved.")
        while model.fraction < 1 { await Task.yield() }

        // snippet.task-progress
        @MainActor
        final class TaskModel {
            /// For a view, such as SwiftUI's `ProgressView`.
            private(set) var progress: Progress?

            func download(
                _ url: URL, to file: URL, in session: URLSession
            ) {
                let task = session.downloadTask(
                    with: url, to: file
                ) { result in
                    print(result)
                }
                progress = task.progress
                task.resume()
            }
        }
        // snippet.end
        try FileManager.default.removeItem(at: file)
        let taskModel = TaskModel()
        taskModel.download(url, to: file, in: session)
        let progress = try #require(taskModel.progress)
        // The file is put in its place after the progress is complete.
        while !FileManager.default.fileExists(atPath: file.path) { await Task.yield() }
        #expect(progress.fractionCompleted == 1)
    }

    @Test("The progress of two downloads is one, and a delegate belongs to a task")
    func childProgress() async throws {
        let album = try #require(URL(string: "https://albums.test/blue"))
        let session = SessionStub(.text("side")).session
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = Log()
        @Sendable func print(_ result: Result<URL, NetworkError>) { log.append("end") }

        func downloadSides(
            of album: URL, delegate: any URLSessionTaskDelegate
        ) -> Progress {
            let both = Progress(totalUnitCount: 2)
            let tasks = ["a.flac", "b.flac"].map { side in
                let task = session.downloadTask(
                    with: album.appendingPathComponent(side),
                    to: folder.appendingPathComponent(side)
                ) { result in
                    print(result)
                }
                task.delegate = delegate
                both.addChild(task.progress, withPendingUnitCount: 1)
                return task
            }
            // On Linux, `Progress` has no lock: a task that runs changes it.
            for task in tasks { task.resume() }
            return both
        }
        let both = downloadSides(of: album, delegate: WithoutDecisions())
        while log.texts.count < 2 { await Task.yield() }
        #expect(both.fractionCompleted == 1)
        for side in ["a.flac", "b.flac"] {
            #expect(try Data(contentsOf: folder.appendingPathComponent(side)) == Data("side".utf8))
        }
    }

    @Test("A download without resume data begins again, and one with them resumes, except on Linux")
    func resumeData() async throws {
        let url = try #require(URL(string: "https://albums.test/album"))
        let session = SessionStub(.text("album")).session
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }

        // snippet.resume-data
        func download(
            after error: NetworkError?
        ) async -> Result<URL, NetworkError> {
            guard let resumeData = error?.resumeData else {
                return await session.downloadResult(from: url, to: file)
            }
            return await session.downloadResult(
                resumeFrom: resumeData, to: file,
                progress: { progress in
                    print(progress.fractionCompleted ?? 0)
                })
        }
        // snippet.end

        #expect(try await Data(contentsOf: download(after: nil).get()) == Data("album".utf8))
        #expect(throws: Never.self) { try Data(contentsOf: file) }
        #if os(Linux)
        let lost = URLError(.networkConnectionLost, userInfo: ["NSURLSessionDownloadTaskResumeData": Data("x".utf8)])
        let result = await download(after: .transportError(lost))
        let error = try #require(throws: NetworkError.self) { try result.get() }
        #expect(error.urlError?.code == .unsupportedURL)
        #endif
    }

    @Test("Cancelling the Swift task cancels the request")
    func cancellation() async throws {
        let url = try #require(URL(string: "https://albums.test/silence"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [SilentProtocol.self]
        let session = URLSession(configuration: configuration)
        var printed: [Bool] = []
        func print(_ isCancelled: Bool) { printed.append(isCancelled) }

        // snippet.cancellation
        let transfer = Task {
            await session.dataResult(from: url)
        }
        transfer.cancel()

        if case .failure(let error) = await transfer.value {
            print(error.isCancelled)
        }
        // snippet.end
        #expect(printed == [true])
    }

    @Test("A transfer can be cancelled because of its progress")
    func cancellationByProgress() async throws {
        let url = try #require(URL(string: "https://albums.test/endless"))
        let session = SessionStub(
            .stream { body in
                while true {
                    body.write(Data(count: 100_000))
                    try await Task.sleep(nanoseconds: 1_000_000)
                }
            }
        ).session
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        // snippet.cancellation-by-progress
        let (excess, excessFound) = AsyncStream.makeStream(of: Void.self)
        let limited = Task {
            defer { excessFound.finish() }
            return await session.downloadResult(
                from: url, to: file,
                progress: { progress in
                    if progress.completedBytes > 1_000_000 {
                        excessFound.yield()
                    }
                })
        }
        for await _ in excess { limited.cancel() }
        let limitedDownload = await limited.value
        // snippet.end
        let error = #expect(throws: NetworkError.self) { try limitedDownload.get() }
        #expect(error?.isCancelled == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

private final class WithoutDecisions: NSObject, URLSessionTaskDelegate {}

/// Never answers.
private final class SilentProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {}

    override func stopLoading() {}
}

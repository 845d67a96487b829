import Foundation
import Testing
import URLSessionResultTesting

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What `progress:` reports.
@Suite(.inTurn)
struct TransferProgressTests {
    private enum Way: CaseIterable {
        case data, dataWithDecoder, download, downloadWithDecoder, upload, uploadWithDecoder, uploadOfFile

        static let downloads = [data, dataWithDecoder, download, downloadWithDecoder]
        static let uploads = [upload, uploadWithDecoder, uploadOfFile]
    }

    private static let size = 64_000_000

    /// Transfers so many bytes and gives the reports.
    private func reports(
        _ way: Way, of size: Int, from url: URL, in session: URLSession = URLSession(configuration: .forTests)
    ) async throws -> [TransferProgress] {
        let reports = RecordedProgress()
        let progress = reports.handler
        let folder = TemporaryFolder()
        let post = URLRequest(url: url, method: .post)
        switch way {
        case .data:
            #expect(try await session.dataResult(from: url, progress: progress).get().count == size)
        case .dataWithDecoder:
            let count = ResultDecoder { $0.count }
            #expect(try await session.dataResult(from: url, decoder: count, progress: progress).get() == size)
        case .download:
            let file = try await session.downloadResult(from: url, to: folder.file(), progress: progress).get()
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int == size)
        case .downloadWithDecoder:
            let count = ResultDecoder { $0.count }
            #expect(try await session.downloadResult(from: url, decoder: count, progress: progress).get() == size)
        case .upload:
            _ = try await session.uploadResult(for: post, from: Data(count: size), progress: progress).get()
        case .uploadWithDecoder:
            let body = Data(count: size)
            _ = try await session.uploadResult(for: post, from: body, decoder: .ignored, progress: progress).get()
        case .uploadOfFile:
            let file = folder.file("file", Data(count: size))
            _ = try await session.uploadResult(for: post, fromFile: file, progress: progress).get()
        }
        // Reports that come after the result would be counted too.
        session.finishTasksAndInvalidate()
        await session.idle()
        return reports.all
    }

    private static func server(sending size: Int) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            if request.method == "POST" { return try connection.respond(body: "received") }
            try connection.sendHead(200, contentLength: size)
            try connection.send(zeros: size)
        }
    }

    private func expectRegular(_ reports: [TransferProgress], upTo size: Int) {
        // The last piece of a body of unknown length may be reported before it is known that it was the last.
        let isGrowing = zip(reports, reports.dropFirst()).allSatisfy { report, next in
            let isOnlyKnown = report.totalBytes == nil && next.totalBytes == report.completedBytes
            return report.completedBytes < next.completedBytes || isOnlyKnown && next == reports.last
        }
        #expect(isGrowing, "\(reports)")
        #expect(reports.last == TransferProgress(completedBytes: Int64(size), totalBytes: Int64(size)))
        #expect(reports.last?.fractionCompleted == 1)
        #expect(reports.count <= 102, "\(reports.count) reports")
    }

    @Test("64 MB are reported in about a hundred growing steps, the last one complete", arguments: Way.allCases)
    private func large(_ way: Way) async throws {
        let server = try Self.server(sending: Self.size)
        let reports = try await reports(way, of: Self.size, from: server.url())
        expectRegular(reports, upTo: Self.size)
        // Only here does each report belong to a piece of the body; elsewhere URLSession tells what it has come to.
        if way == .data { #expect(reports.count >= 50, "\(reports.count) reports") }
        #expect(reports.allSatisfy { $0.totalBytes == Int64(Self.size) })
    }

    @Test("A transfer of any size ends with a complete report", arguments: Way.allCases, [0, 1, 1000])
    private func small(_ way: Way, size: Int) async throws {
        let server = try Self.server(sending: size)
        expectRegular(try await reports(way, of: size, from: server.url()), upTo: size)
    }

    @Test("A body of unknown length has no total until it is there", arguments: [Way.data, .download])
    private func unknownLength(_ way: Way) async throws {
        let size = 5_000_000
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            try connection.send(zeros: size)
            connection.close()
        }
        let reports = try await reports(way, of: size, from: server.url())
        #expect(reports.dropLast().allSatisfy { $0.totalBytes == nil && $0.fractionCompleted == nil })
        #expect(reports.last == TransferProgress(completedBytes: Int64(size), totalBytes: Int64(size)))
        #expect((2...102).contains(reports.count), "\(reports.count) reports")
    }

    /// `Content-Length` is that of the compressed body, and its bytes are counted after decompression.
    @Test(
        "A compressed body has no total until it is there", arguments: Way.downloads, ["gzip", " GZip ", "identity"])
    private func compressed(_ way: Way, encoding: String) async throws {
        let size = 1_000_000
        let isIdentity = encoding == "identity"
        let body = isIdentity ? Data(count: size) : Data(count: size).inGzip
        let server = try LoopbackServer(.ok(body, headers: ["Content-Encoding": encoding]))
        let reports = try await reports(way, of: size, from: server.url())
        expectRegular(reports, upTo: size)
        #expect(reports.count > 1)
        #expect(reports.dropLast().allSatisfy { $0.totalBytes == (isIdentity ? Int64(size) : nil) })
    }

    @Test("Of an upload, the bytes that are sent count, whatever the answer's encoding", arguments: Way.uploads)
    private func compressedAnswer(_ way: Way) async throws {
        let server = try LoopbackServer(.ok(Data("received".utf8).inGzip, headers: ["Content-Encoding": "gzip"]))
        let reports = try await reports(way, of: Self.size, from: server.url())
        expectRegular(reports, upTo: Self.size)
        #expect(reports.allSatisfy { $0.totalBytes == Int64(Self.size) })
    }

    @Test(
        "The encoding that a stub announces counts as well, in however many pieces the body comes",
        arguments: Way.downloads, ["gzip", "identity", nil])
    private func stubbed(_ way: Way, encoding: String?) async throws {
        for count in [10, 1] { try await stubbed(way, encoding: encoding, pieces: count) }
    }

    private func stubbed(_ way: Way, encoding: String?, pieces count: Int) async throws {
        let size = 1_000_000
        var headers = ["Content-Length": "\(size)"]
        headers["Content-Encoding"] = encoding
        let stub = SessionStub(
            .stream(headers: headers) { body in for _ in 0..<count { body.write(Data(count: size / count)) } })
        let url = try #require(URL(string: "https://stub.test/"))
        let reports = try await reports(way, of: size, from: url, in: stub.session)
        expectRegular(reports, upTo: size)
        #expect(reports.dropLast().allSatisfy { $0.totalBytes == (encoding == "gzip" ? nil : Int64(size)) })
    }

    @Test("The answer to HEAD is complete without a byte")
    func head() async throws {
        let server = try LoopbackServer(.ok("body"))
        let reports = RecordedProgress()
        _ = try await URLSession(configuration: .forTests).dataResult(
            for: URLRequest(url: server.url(), method: .head), progress: reports.handler
        ).get()
        #expect(reports.all == [TransferProgress(completedBytes: 0, totalBytes: 0)])
    }

    @Test("The body of an error response is no progress", arguments: [true, false], [true, false])
    func errorResponse(download: Bool, isAccepted: Bool) async throws {
        let server = try LoopbackServer(.status(503, Data(count: 1_000_000)))
        let folder = TemporaryFolder()
        let reports = RecordedProgress()
        let session = URLSession(configuration: .forTests)
        let codes = isAccepted ? 200..<600 : 200..<300
        if download {
            _ = await session.downloadResult(
                for: URLRequest(url: server.url()), to: folder.file(), accepting: codes, progress: reports.handler)
        } else {
            _ = await session.dataResult(from: server.url(), accepting: codes, progress: reports.handler)
        }
        #expect(reports.all.isEmpty != isAccepted)
        #expect(reports.all.last?.fractionCompleted == (isAccepted ? 1 : nil))
    }

    @Test("A transfer that is cut half way is reported as half complete, and no further", arguments: [true, false])
    func failure(download: Bool) async throws {
        let server = try LoopbackServer(.truncated(Data(count: 1000), of: 2000))
        let folder = TemporaryFolder()
        let reports = RecordedProgress()
        let session = URLSession(configuration: .forTests)
        let error =
            download
            ? await session.downloadResult(from: server.url(), to: folder.file(), progress: reports.handler).error
            : await session.dataResult(from: server.url(), progress: reports.handler).error
        #expect(error != nil)
        #expect(reports.all.last == TransferProgress(completedBytes: 1000, totalBytes: 2000))
    }

    @Test("Reports and handlers run on the session's queue", arguments: [true, false])
    func queue(reports: Bool) async throws {
        let server = try LoopbackServer(.ok("body"))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        let queues = Monitor<[OperationQueue?]>([])
        let note = { @Sendable in queues.withLock { $0.append(OperationQueue.current) } }
        if reports {
            _ = await session.dataResult(from: server.url()) { _ in note() }
        } else {
            await withCheckedContinuation { continuation in
                session.dataTask(with: server.url()) { (_: DataResult) in
                    note()
                    continuation.resume()
                }.resume()
            }
        }
        #expect(!queues.value.isEmpty)
        #expect(queues.value.allSatisfy { $0 === queue })
    }

    @Test("A session's own delegate is kept", arguments: Way.allCases)
    private func sessionOfOnesOwn(_ way: Way) async throws {
        let size = Self.size
        let server = try LoopbackServer { request, connection in
            if request.path == "/start" {
                try connection.respond(307, headers: ["Location": "/"])
            } else if request.header("Authorization") == nil {
                try connection.respond(401, headers: ["WWW-Authenticate": #"Basic realm="x""#])
            } else if request.method == "POST" {
                try connection.respond()
            } else {
                try connection.sendHead(200, contentLength: size)
                try connection.send(zeros: size)
            }
        }
        let delegate = Delegate()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: queue)
        let isUpload = [.upload, .uploadWithDecoder, .uploadOfFile].contains(way)
        // A redirected upload loses its body, and a redirect ends what FoundationNetworking does about challenges.
        let reports = try await reports(way, of: size, from: server.url(), in: session)
        expectRegular(reports, upTo: size)
        #expect(delegate.challenges.value == 1)
        #expect(delegate.wasAskedBySession.value === session)
        guard !isUpload else { return }
        let other = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: queue)
        let redirected = await other.dataResult(from: server.url("/start"), progress: { _ in })
        #expect(redirected.error?.statusCode == 307)
        #expect(delegate.redirects.value == 1)
        #expect(delegate.wasAskedBySession.value === other)
    }

    @Test("A queue that runs several operations at once shuffles nothing", arguments: [false, true])
    func concurrentQueue(download: Bool) async throws {
        let body = Data.blocks(250, ofSize: 64_000)
        let server = try LoopbackServer(.status(200, body))
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: OperationQueue())
        let reports = RecordedProgress()
        let received =
            download
            ? await session.downloadResult(from: server.url(), decoder: .data, progress: reports.handler)
            : await session.dataResult(from: server.url(), progress: reports.handler)
        #expect(try received.get() == body)
        expectRegular(reports.all, upTo: body.count)
    }

    @Test("A handler that waits holds up no other transfer of its session", arguments: [1, 16, 100])
    func waitingHandler(count: Int) async throws {
        let server = try LoopbackServer(.zeros(300_000))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 2
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        let isCalled = Gate()
        let mayReturn = Gate()
        let waiting = Task {
            await session.dataResult(from: server.url()) { _ in
                isCalled.open()
                mayReturn.wait()
            }
        }
        try await isCalled.opened()
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await session.dataResult(from: server.url(), progress: ignored) } }
            for await result in group { #expect((try? result.get())?.count == 300_000) }
        }
        mayReturn.open()
        #expect(try await waiting.value.get().count == 300_000)
    }

    @Test("The last report is made before the result is there")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func order() async throws {
        let server = try LoopbackServer(.ok())
        let events = Monitor<[String]>([])
        // What awaits goes on within the call that resumes it, and so before whatever that would do afterwards.
        await Task(executorPreference: ImmediateExecutor()) {
            _ = await URLSession(configuration: .forTests).dataResult(from: server.url()) { _ in
                events.withLock { $0.append("report") }
            }
            events.withLock { $0.append("result") }
        }.value
        #expect(events.value == ["report", "result"])
    }

    @Test("A session without protocol classes reports as any other", arguments: [true, false])
    func noProtocolClasses(download: Bool) async throws {
        let server = try LoopbackServer(.zeros(3_000_000))
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = []
        let reports = RecordedProgress()
        let session = URLSession(configuration: configuration)
        if download {
            _ = try await session.downloadResult(from: server.url(), decoder: .data, progress: reports.handler).get()
        } else {
            _ = try await session.dataResult(from: server.url(), progress: reports.handler).get()
        }
        #expect(reports.all.last == TransferProgress(completedBytes: 3_000_000, totalBytes: 3_000_000))
    }

    @Test("Reports run on the dispatch queue that underlies the session's")
    func underlyingQueue() async throws {
        let server = try LoopbackServer(.ok("body"))
        let key = DispatchSpecificKey<Bool>()
        let queue = OperationQueue()
        let underlyingQueue = DispatchQueue(label: "underlying")
        underlyingQueue.setSpecific(key: key, value: true)
        queue.underlyingQueue = underlyingQueue
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        let isOnQueue = Monitor<[Bool]>([])
        _ = await session.dataResult(from: server.url()) { _ in
            isOnQueue.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
        }
        withExtendedLifetime(underlyingQueue) { #expect(isOnQueue.value == [true]) }
    }

    @Test("A URL that nothing handles keeps no session from ending")
    func unsupportedURL() async throws {
        let url = try #require(URL(string: "nothing:handled"))
        let ending = SessionEnd()
        let session = URLSession(configuration: .forTests, delegate: ending, delegateQueue: nil)
        #expect(await session.dataResult(from: url, progress: ignored).error?.urlError?.code == .unsupportedURL)
        try await ending.follows(session)
    }
}

/// Runs what it is given at once, on the thread that gives it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class ImmediateExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

/// Knows the password, and follows no redirect.
private final class Delegate: NSObject, URLSessionTaskDelegate {
    let challenges = Monitor(0)
    let redirects = Monitor(0)
    let wasAskedBySession = Monitor<URLSession?>(nil)

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenges.withLock { $0 += 1 }
        wasAskedBySession.withLock { $0 = session }
        completionHandler(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirects.withLock { $0 += 1 }
        wasAskedBySession.withLock { $0 = session }
        completionHandler(nil)
    }
}

#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// Downloads that were interrupted, and go on.
///
/// One after the other, because their files share one folder, and the last test fills it.
@Suite(.inTurn, .serialized)
struct ResumedDownloadTests {
    /// Whether and how a server gives the rest of a body.
    struct RangeServer {
        var body = Data.blocks(20, ofSize: 32_000)
        var entityTag: String? = "\"1\""
        var headers: KeyValuePairs<String, String> = [:]

        /// The position at which each response but the last is cut. None means that the response is whole.
        var cuts: [Int] = []

        /// What a request for a range gets, in place of the rest.
        var answerToRange: LoopbackServer.Response?

        func start() throws -> LoopbackServer {
            let rest = Monitor(cuts)
            return try LoopbackServer { request, connection in
                let range = request.header("Range")
                if range != nil, let answerToRange { return try connection.respond(with: answerToRange, to: request) }
                let start = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
                let isRest = start > 0 && request.header("If-Range") == entityTag
                let cut = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                let first = isRest ? start : 0
                var head = "HTTP/1.1 \(isRest ? 206 : 200) OK\r\nContent-Length: \(body.count - first)\r\n"
                if let entityTag { head += "ETag: \(entityTag)\r\n" }
                if isRest { head += "Content-Range: bytes \(first)-\(body.count - 1)/\(body.count)\r\n" }
                for (name, value) in headers { head += "\(name): \(value)\r\n" }
                try connection.send(head + "\r\n")
                try connection.send(body[first..<max(first, cut ?? body.count)])
                if cut != nil { connection.close() }
            }
        }
    }

    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)
    private let offers = Offers()

    private func offer(of error: NetworkError?) -> Data? {
        offers.note(error?.urlError?.userInfo["NSURLSessionDownloadTaskResumeData"] as? Data)
    }

    /// All resume data of a test. The files of downloads that it does not go on with are removed with the value.
    private final class Offers: Sendable {
        private let all = Monitor<[Data]>([])

        deinit {
            for resumeData in all.value.compactMap(ResumeData.init) { KeptDownloads.remove(resumeData.file) }
        }

        func note(_ resumeData: Data?) -> Data? {
            if let resumeData { all.withLock { $0.append(resumeData) } }
            return resumeData
        }
    }

    private func interrupted(_ server: LoopbackServer) async -> Data? {
        offer(of: await session.downloadResult(from: server.url(), to: folder.file("file")).error)
    }

    @Test("A download that is cut goes on where it was, with the range and the entity tag")
    func cut() async throws {
        let server = RangeServer(cuts: [100_000])
        let started = try server.start()
        let resumeData = try #require(await interrupted(started))
        let reports = RecordedProgress()
        let file = try await session.downloadResult(
            resumeFrom: resumeData, to: folder.file("file"), progress: reports.handler
        ).get()
        #expect(try Data(contentsOf: file) == server.body)
        let request = try #require(started.requests.last)
        #expect(request.header("Range") == "bytes=100000-")
        #expect(request.header("If-Range") == "\"1\"")
        #expect(reports.all.allSatisfy { $0.completedBytes >= 100_000 })
        #expect(reports.all.last?.totalBytes == Int64(server.body.count))
        #expect(folder.contents == ["file"])
        #expect(KeptDownloads.length(of: try #require(ResumeData(propertyList: resumeData)).file) == nil)
    }

    @Test("A download of 100 MB that is cut 20 times arrives whole", arguments: [UInt64(67)])
    func cutOften(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var server = RangeServer()
        server.body = Data.blocks(250, ofSize: 400_000)
        server.cuts = (0..<20).map { _ in Int.random(in: 1..<server.body.count, using: &generator) }.sorted()
        let started = try server.start()
        var result = await session.downloadResult(from: started.url(), to: folder.file("file"))
        for _ in 0..<20 {
            let resumeData = try #require(offer(of: result.error))
            result = await session.downloadResult(resumeFrom: resumeData, to: folder.file("file"))
        }
        #expect(try Data(contentsOf: result.get()) == server.body)
        #expect(started.requests.count == 21)
    }

    @Test("A cancelled download goes on, too, if somebody asks for resume data")
    func cancelled() async throws {
        var server = RangeServer()
        server.body = Data.blocks(250, ofSize: 32_000)
        let gate = Gate()
        let body = server.body
        let stalling = try LoopbackServer { request, connection in
            let start = request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            let range = "bytes \(start)-\(body.count - 1)/\(body.count)"
            try connection.sendHead(
                start > 0 ? 206 : 200, headers: ["ETag": "\"1\"", "Content-Range": range],
                contentLength: body.count - start)
            if start > 0 { return try connection.send(body[start...]) }
            try connection.send(body[..<1_000_000])
            gate.open()
            connection.waitForClientToClose()
        }
        let errors = Monitor<[NetworkError?]>([])
        let task = session.downloadTask(with: stalling.url()) { result in errors.withLock { $0.append(result.error) } }
        task.resume()
        try await gate.opened()
        while task.countOfBytesReceived == 0 { try await letOthersRun() }
        let produced = await withCheckedContinuation { continuation in
            task.cancel { continuation.resume(returning: $0) }
        }
        let data = try #require(produced)
        let file = try await session.downloadResult(resumeFrom: data, to: folder.file("file")).get()
        #expect(try Data(contentsOf: file) == body)
        let error = try await errors.value { !$0.isEmpty }[0]
        #expect(error?.isCancelled == true)
        #expect(offer(of: error) == data)
    }

    @Test("There is no resume data before a task is resumed, after its end, and for a cancellation without")
    func none() async throws {
        let server = try LoopbackServer(.ok("abc", headers: ["ETag": "\"1\""]))
        let suspended = session.downloadTask(with: server.url()) { _ in }
        #expect(
            await withCheckedContinuation { continuation in suspended.cancel { continuation.resume(returning: $0) } }
                == nil)
        let done = Gate()
        let finished = session.downloadTask(with: server.url()) { _ in done.open() }
        finished.resume()
        try await done.opened()
        #expect(
            await withCheckedContinuation { continuation in finished.cancel { continuation.resume(returning: $0) } }
                == nil)
        let stalled = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nabc")
            connection.waitForClientToClose()
        }
        let errors = Monitor<[NetworkError?]>([])
        let cancelled = session.downloadTask(with: stalled.url()) { result in
            errors.withLock { $0.append(result.error) }
        }
        cancelled.resume()
        while cancelled.countOfBytesReceived < 3 { try await letOthersRun() }
        cancelled.cancel()
        let error = try await errors.value { !$0.isEmpty }[0]
        #expect(error?.isCancelled == true)
        #expect(offer(of: error) == nil)
    }

    @Test(
        "A part that answers no resumption gives no resume data: it begins elsewhere. The whole gives some",
        arguments: [nil, "bytes=5-"], [206, 200])
    func partOfCaller(range: String?, status: Int) async throws {
        let head = "HTTP/1.1 \(status) OK\r\nETag: \"1\"\r\nContent-Range: bytes 5-13/14\r\nContent-Length: 9\r\n\r\n"
        let server = try LoopbackServer(.raw(head + "abc"))
        var request = URLRequest(url: server.url())
        request.setValue(range, forHTTPHeaderField: "Range")
        let error = await session.downloadResult(for: request, to: folder.file("file")).error
        #expect((offer(of: error) != nil) == (status == 200))
    }

    @Test(
        "A response that cannot be joined with another gives no resume data",
        arguments: [
            RangeServer(entityTag: nil, cuts: [100_000]), RangeServer(entityTag: "W/\"1\"", cuts: [100_000]),
            RangeServer(entityTag: "1", cuts: [100_000]),
            RangeServer(headers: ["Accept-Ranges": "none"], cuts: [100_000]),
            RangeServer(headers: ["Content-Encoding": "x"], cuts: [100_000]),
        ])
    func notResumable(_ server: RangeServer) async throws {
        #expect(await interrupted(try server.start()) == nil)
    }

    @Test("What a request of another method has led to gives no resume data: its address is not that of the file")
    func redirectedPost() async throws {
        let file = LoopbackServer.Response.raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nabc")
        let server = try LoopbackServer(["/export": .redirect(to: "/file", status: 303), "/file": file])
        for (method, path, isOffered) in [(.post, "/export", false), (.get, "/export", true), (.get, "/file", true)]
            as [(HTTPMethod, String, Bool)]
        {
            let request = URLRequest(url: server.url(path), method: method)
            let error = await session.downloadResult(for: request, to: folder.file("file")).error
            #expect((offer(of: error) != nil) == isOffered, "\(method) \(path)")
        }
    }

    @Test("What has changed meanwhile is downloaded from the beginning, and nothing is mixed")
    func changed() async throws {
        let first = try RangeServer(cuts: [100_000]).start()
        let offered = try #require(await interrupted(first))
        var data = try #require(ResumeData(propertyList: offered))
        let other = RangeServer(body: Data.blocks(3, ofSize: 10_000), entityTag: "\"2\"")
        let second = try other.start()
        data = ResumeData(url: second.url(), entityTag: data.entityTag, file: data.file, length: data.length)
        let file = try await session.downloadResult(
            resumeFrom: try #require(data.propertyList), to: folder.file("file")
        ).get()
        #expect(try Data(contentsOf: file) == other.body)
        #expect(second.requests.map { $0.header("Range") } == ["bytes=100000-"])
    }

    @Test("A download whose file is gone begins anew")
    func fileIsGone() async throws {
        let server = RangeServer(cuts: [100_000])
        let started = try server.start()
        let data = try #require(await interrupted(started))
        KeptDownloads.remove(try #require(ResumeData(propertyList: data)).file)
        let file = try await session.downloadResult(resumeFrom: data, to: folder.file("file")).get()
        #expect(try Data(contentsOf: file) == server.body)
        #expect(started.requests.last?.header("Range") == nil)
    }

    @Test(
        "A download whose file vanishes before the response begins anew", arguments: ResumedDownloadForm.all,
        [false, true])
    func fileVanishes(form: ResumedDownloadForm, isRedirected: Bool) async throws {
        let rest = RangeServer(cuts: [100_000])
        let started = try rest.start()
        let data = try #require(await interrupted(started))
        let resumeData = try #require(ResumeData(propertyList: data))
        let target = started.url("/target").absoluteString
        let vanishing = try LoopbackServer { request, connection in
            KeptDownloads.remove(resumeData.file)
            try connection.respond(with: .redirect(to: target, status: 307), to: request)
        }
        let direct = try LoopbackServer { request, connection in
            KeptDownloads.remove(resumeData.file)
            let isRest = request.header("Range") != nil
            try connection.respond(
                isRest ? 206 : 200,
                headers: ["ETag": "\"1\"", "Content-Range": "bytes 100000-\(rest.body.count - 1)/\(rest.body.count)"],
                body: isRest ? rest.body[100_000...] : rest.body)
        }
        let moved = ResumeData(
            url: (isRedirected ? vanishing : direct).url(), entityTag: resumeData.entityTag, file: resumeData.file,
            length: resumeData.length)
        let result = await form.send(session, try #require(moved.propertyList), 200..<300, nil)
        #expect(try result.get() == rest.body)
        let server = isRedirected ? started : direct
        #expect(server.requests.map { $0.header("Range") }.suffix(2) == ["bytes=100000-", nil])
        #expect(server.requests.last?.header("If-Range") == nil)
    }

    @Test("A rest that nobody asked for, of a download whose file has vanished, is an error")
    func restOfNothing() async throws {
        let server = try RangeServer(cuts: [100_000]).start()
        let data = try #require(await interrupted(server))
        let resumeData = try #require(ResumeData(propertyList: data))
        let other = try LoopbackServer { request, connection in
            KeptDownloads.remove(resumeData.file)
            try connection.respond(
                206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 100000-100002/100003"], body: "abc")
        }
        let moved = ResumeData(
            url: other.url(), entityTag: resumeData.entityTag, file: resumeData.file, length: resumeData.length)
        let propertyList = try #require(moved.propertyList)
        let error = await session.downloadResult(resumeFrom: propertyList, to: folder.file("file")).error
        #expect(error != nil)
        #expect(other.requests.count == 2)
    }

    private static func part(_ range: String, tag: String = "\"1\"") -> LoopbackServer.Response {
        .raw("HTTP/1.1 206 OK\r\nETag: \(tag)\r\nContent-Range: \(range)\r\nContent-Length: 3\r\n\r\nabc")
    }

    @Test(
        "Another part than the rest is an error, and nothing is mixed",
        arguments: [
            part("bytes 0-2/3"), part("bytes 99999-100001/100002"), part("bytes 100000-100002/200000"),
            part("bytes 100000-100002/*"), part("bytes 100000-9223372036854775807/5"),
            part("bytes 100000-100002/100003", tag: "\"2\""), part("items 100000-2/3"),
            .raw("HTTP/1.1 206 OK\r\nContent-Length: 3\r\n\r\nabc"),
            // Without a tag, of a file of another length.
            .raw("HTTP/1.1 206 OK\r\nContent-Range: bytes 100000-100002/100003\r\nContent-Length: 3\r\n\r\nabc"),
            .raw("HTTP/1.1 206 OK\r\nContent-Length: 0\r\n\r\n"),
        ])
    func wrongPart(_ answer: LoopbackServer.Response) async throws {
        let server = try RangeServer(cuts: [100_000], answerToRange: answer).start()
        let data = try #require(await interrupted(server))
        let error = await session.downloadResult(resumeFrom: data, to: folder.file("file")).error
        #expect(error?.urlError?.code == .badServerResponse)
        #expect(folder.contents.isEmpty)
    }

    @Test("A rest that is said to be longer than any file is a lost connection")
    func endlessRest() async throws {
        let rest = LoopbackServer.Response.raw(
            "HTTP/1.1 206 OK\r\nETag: \"1\"\r\nContent-Range: bytes 100000-639999/640000\r\n"
                + "Content-Length: 9223372036854774784\r\n\r\nabc")
        let server = try RangeServer(cuts: [100_000], answerToRange: rest).start()
        let data = try #require(await interrupted(server))
        let error = await session.downloadResult(resumeFrom: data, to: folder.file("file")).error
        #expect(error?.urlError?.code == .networkConnectionLost)
        // What arrived of the rest is kept: see `Offers`.
        _ = offer(of: error)
    }

    @Test("A rest whose length no field says is counted, and reported with that of the whole")
    func chunkedRest() async throws {
        let server = RangeServer()
        let body = server.body
        let range = "bytes 100000-\(body.count - 1)/\(body.count)"
        let rest = LoopbackServer.Response { _, connection in
            try connection.send(
                "HTTP/1.1 206 OK\r\nETag: \"1\"\r\nContent-Range: \(range)\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 100_000, to: body.count, by: 90_000) {
                let piece = body[start..<min(start + 90_000, body.count)]
                try connection.send("\(String(piece.count, radix: 16))\r\n")
                try connection.send(piece)
                try connection.send("\r\n")
            }
            try connection.send("0\r\n\r\n")
        }
        let started = try RangeServer(cuts: [100_000], answerToRange: rest).start()
        let data = try #require(await interrupted(started))
        let reports = RecordedProgress()
        let file = try await session.downloadResult(
            resumeFrom: data, to: folder.file("file"), progress: reports.handler
        ).get()
        #expect(try Data(contentsOf: file) == body)
        #expect(reports.all.allSatisfy { $0.totalBytes == Int64(body.count) })
        #expect(reports.all.last?.completedBytes == Int64(body.count))
    }

    @Test(
        "A rest that ends before its range is no whole file, and goes on later; one that is longer is none, either",
        arguments: [
            (3, URLError.Code.networkConnectionLost), (539_999, .networkConnectionLost), (540_001, .badServerResponse),
        ])
    func otherLength(count: Int, code: URLError.Code) async throws {
        let server = RangeServer()
        let head = """
            HTTP/1.1 206 OK\r\nETag: "1"\r\nContent-Range: bytes 100000-639999/640000\r\nConnection: close\r\n\r\n
            """
        let bytes = (server.body[100_000...] + Data([7])).prefix(count)
        let rest = LoopbackServer.Response { _, connection in
            try connection.send(head)
            try connection.send(bytes)
            connection.close()
        }
        let started = try RangeServer(cuts: [100_000], answerToRange: rest).start()
        let data = try #require(await interrupted(started))
        let error = await session.downloadResult(resumeFrom: data, to: folder.file("file")).error
        #expect(error?.urlError?.code == code)
        #expect(folder.contents.isEmpty)
        let next = offer(of: error).flatMap(ResumeData.init)
        #expect(next?.length == (code == .networkConnectionLost ? Int64(100_000 + count) : nil))
    }

    @Test("A whole download that is cancelled while it is suspended goes on with its last byte")
    func cancelledWhenWhole() async throws {
        let server = RangeServer()
        let started = try server.start()
        let errors = Monitor<[NetworkError?]>([])
        let task = session.downloadTask(with: started.url()) { result in errors.withLock { $0.append(result.error) } }
        task.resume()
        task.suspend()
        while task.countOfBytesReceived < server.body.count { try await letOthersRun() }
        let data = await withCheckedContinuation { continuation in task.cancel { continuation.resume(returning: $0) } }
        let file = try await session.downloadResult(resumeFrom: try #require(data), to: folder.file("file")).get()
        #expect(try Data(contentsOf: file) == server.body)
        #expect(started.requests.last?.header("Range") == "bytes=\(server.body.count - 1)-")
        try await errors.value { !$0.isEmpty }
    }

    @Test("Of two cancellations, the first one gets the resume data")
    func cancelledTwice() async throws {
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nabc")
            connection.waitForClientToClose()
        }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        let task = session.downloadTask(with: server.url()) { (_: Result<URL, NetworkError>) in }
        task.resume()
        while task.countOfBytesReceived < 3 { try await letOthersRun() }
        queue.isSuspended = true
        let answers = Monitor<[String]>([])
        task.cancel { [offers] data in
            let isOffered = offers.note(data) != nil
            answers.withLock { $0.append("first \(isOffered)") }
        }
        task.cancel { data in answers.withLock { $0.append("second \(data != nil)") } }
        queue.isSuspended = false
        #expect(try await answers.value { $0.count == 2 } == ["second false", "first true"])
    }

    @Test("A rest without a tag belongs to the beginning, and may be cut, too")
    func restWithoutTag() async throws {
        let body = RangeServer().body
        let head = "HTTP/1.1 206 OK\r\nContent-Range: bytes 100000-\(body.count - 1)/\(body.count)\r\n"
        let rest = LoopbackServer.Response { _, connection in
            try connection.send(head + "Content-Length: \(body.count - 100_000)\r\n\r\n")
            try connection.send(body[100_000..<300_000])
            connection.close()
        }
        let started = try RangeServer(cuts: [100_000], answerToRange: rest).start()
        let data = try #require(await interrupted(started))
        let error = await session.downloadResult(resumeFrom: data, to: folder.file("file")).error
        let next = offer(of: error).flatMap(ResumeData.init)
        #expect(next?.length == 300_000 && next?.entityTag == "\"1\"")
    }

    @Test("A file that another task has used up is asked for from its beginning")
    func usedUp() async throws {
        let server = RangeServer(cuts: [100_000])
        let started = try server.start()
        let data = try #require(await interrupted(started))
        let results = Monitor<[Data?]>([])
        let tasks = (0..<2).map { _ in
            session.downloadTask(withResumeData: data) { (result: Result<URL, NetworkError>) in
                let contents = try? result.contents.get()
                results.withLock { $0.append(contents) }
            }
        }
        for (index, task) in tasks.enumerated() {
            task.resume()
            try await results.value { $0.count == index + 1 }
        }
        #expect(results.value == [server.body, server.body])
    }

    @Test("A kept file that cannot be continued stays, and nothing else is left")
    func unopened() throws {
        let kept = folder.file("kept", Data("abc".utf8))
        #expect(throws: (any Error).self) { try DownloadedFile(continuing: kept, at: .max) }
        #expect(folder.contents == ["kept"])
        #expect(try Data(contentsOf: kept) == Data("abc".utf8))
    }

    @Test("A refusal is a server error, and the download may go on later", arguments: [416, 503])
    func refused(status: Int) async throws {
        let server = try RangeServer(cuts: [100_000], answerToRange: .status(status)).start()
        let data = try #require(await interrupted(server))
        let error = await session.downloadResult(resumeFrom: data, to: folder.file("file")).error
        #expect(error?.statusCode == status)
        #expect(KeptDownloads.length(of: try #require(ResumeData(propertyList: data)).file) == 100_000)
    }

    @Test(
        "An error response that is cut off, or cancelled, leaves the offer to go on as it was",
        arguments: [401, 404, 503], [false, true])
    func refusedAndInterrupted(status: Int, isCancelled: Bool) async throws {
        let head = "HTTP/1.1 \(status) No\r\nContent-Length: 9\r\n\r\nabc"
        let answer: LoopbackServer.Response = isCancelled ? .stalled(after: head) : .raw(head)
        let server = try RangeServer(cuts: [100_000], answerToRange: answer).start()
        let data = try #require(await interrupted(server))
        let errors = Monitor<[NetworkError?]>([])
        let task = session.downloadTask(withResumeData: data) { result in errors.withLock { $0.append(result.error) } }
        task.resume()
        if isCancelled {
            while task.countOfBytesReceived < 3 { try await letOthersRun() }
            let produced = await withCheckedContinuation { continuation in
                task.cancel { continuation.resume(returning: $0) }
            }
            #expect(produced.flatMap(ResumeData.init)?.length == 100_000)
        }
        let error = try await errors.value { !$0.isEmpty }[0]
        let next = offer(of: error).flatMap(ResumeData.init)
        #expect(next?.length == 100_000 && next?.entityTag == "\"1\"")
        #expect(KeptDownloads.length(of: try #require(next).file) == 100_000)
    }

    @Test("A head that comes when a cancellation has given the resume data takes nothing of it", arguments: [200, 206])
    func lateHead(status: Int) async throws {
        let name = try #require(KeptDownloads.keep(folder.file("part", Data("abc".utf8))))
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let resumeData = ResumeData(url: url, entityTag: "\"1\"", file: name, length: 3)
        let transactions = Monitor<[Transaction]>([])
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        dependencies.findLoader = { $2(.http) }
        dependencies.makeLoad = { _, _, transaction in
            transactions.withLock { $0.append(transaction) }
            return IdleLoad()
        }
        let isOver = Gate()
        let transfer = Transfer(
            session: session, request: resumeData.request, kind: .resumedDownload(resumeData),
            dependencies: dependencies
        ) { _ in isOver.open() }
        let task = CallersDownloadTask(transfer)
        task.resume()
        let transaction = try #require(transactions.value.first)
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil, headerFields: ["Content-Range": "bytes 3-5/6"]))
        let produced = await withCheckedContinuation { continuation in
            task.cancel { data in
                transaction.receive(head) { $0() }
                continuation.resume(returning: data)
            }
        }
        try await isOver.opened()
        #expect(produced != nil)
        #expect(KeptDownloads.length(of: name) == 3)
        KeptDownloads.remove(name)
        transactions.withLock { $0 = [] }
    }

    @Test("A download that could not go on may try it later")
    func again() async throws {
        let server = try RangeServer(cuts: [100_000], answerToRange: .closed).start()
        let data = try #require(await interrupted(server))
        let error = await session.downloadResult(resumeFrom: data, to: folder.file("file")).error
        #expect(offer(of: error).flatMap(ResumeData.init)?.length == 100_000)
    }

    @Test(
        "A destination that cannot be written is found before the request, and the resume data is still good",
        arguments: [nil, "http://127.0.0.1/file"])
    func unwritableDestination(_ address: String?) async throws {
        let server = RangeServer(cuts: [100_000])
        let started = try server.start()
        let data = try #require(await interrupted(started))
        let destination = try address.map { try #require(URL(string: $0)) } ?? folder.url
        let error = await session.downloadResult(resumeFrom: data, to: destination).error
        #expect(error?.underlyingError is CocoaError, "\(error as Any)")
        #expect(started.requests.count == 1)
        let file = try await session.downloadResult(resumeFrom: data, to: folder.file("file")).get()
        #expect(try Data(contentsOf: file) == server.body)
        #expect(started.requests.last?.header("Range") == "bytes=100000-")
    }

    /// In a process of its own, because the folder is for all processes of the user.
    @Test("No more than sixteen files are kept, and the latest is among them, even if it has the oldest date")
    func limit() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            setenv("TMPDIR", folder.url.path, 1)
            let names = try (0..<18).map { index in
                let file = folder.file("\(index)", Data("abc".utf8))
                let date = Date(timeIntervalSince1970: 1_000_000 - Double(index))
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
                return try #require(KeptDownloads.keep(file))
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: KeptDownloads.folder.path)
            #expect(KeptDownloads.folder.path.hasPrefix(folder.url.path))
            #expect(files.filter { $0.hasSuffix(".part") }.count == KeptDownloads.limit)
            #expect(KeptDownloads.length(of: names[17]) == 3)
        }
    }

    /// In a process of its own, because its folder for temporary files is missing.
    @Test("A kept file that cannot be moved stays as it was: another process may go on with it")
    func unmoved() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let kept = folder.file("kept", Data("abcde".utf8))
            setenv("TMPDIR", folder.file("missing").path, 1)
            #expect(throws: (any Error).self) { try DownloadedFile(continuing: kept, at: 3) }
            let contents = try Data(contentsOf: kept)
            #expect(contents == Data("abcde".utf8))
            #expect(folder.contents == ["kept"])
        }
    }
}

#endif

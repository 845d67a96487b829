import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
struct SessionStubTests {
    private let url = URL(string: "https://albums.test/albums?sort=year") ?? URL(fileURLWithPath: "/")

    private func request(for form: APIForm) -> URLRequest {
        var request = URLRequest(url: url, method: form.uploads ? .put : .get)
        request.setValue("secret", forHTTPHeaderField: "Authorization")
        return request
    }

    // MARK: Every counterpart

    @Test("Every counterpart gets the answer", arguments: APIForm.all + APIForm.byURL)
    func answer(_ form: APIForm) async {
        let stub = SessionStub(.text("hello"))
        let result = await form.run(stub.session, request(for: form))
        #expect("\(result)" == (form.givesBody ? "success(5 bytes)" : "success(0 bytes)"))
        #expect(stub.requests.count == 1)
    }

    @Test("Every counterpart gets an error response with its body", arguments: APIForm.all)
    func errorResponse(_ form: APIForm) async throws {
        let stub = SessionStub(.text("not you", statusCode: 403, headers: ["X-Request-Id": "7"]))
        let error = try #require(await form.run(stub.session, request(for: form)).error)
        #expect(error.statusCode == 403)
        #expect(error.response?.body == Data("not you".utf8))
        #expect(error.response?.header("X-Request-Id") == "7")
    }

    @Test("Every counterpart gets a transport error", arguments: APIForm.all)
    func failure(_ form: APIForm) async {
        let stub = SessionStub(.failure(URLError(.notConnectedToInternet)))
        #expect(await form.run(stub.session, request(for: form)).error?.urlError?.code == .notConnectedToInternet)
    }

    @Test("Every counterpart gets the NetworkError that the stub throws, with its body", arguments: APIForm.all)
    func networkError(_ form: APIForm) async throws {
        let response = try #require(HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: nil))
        let busy = NetworkResponse(body: Data("busy".utf8), urlResponse: response)
        let stub = SessionStub { _ in throw NetworkError.serverError(statusCode: 503, response: busy) }
        let error = try #require(await form.run(stub.session, request(for: form)).error)
        #expect(error.statusCode == 503)
        #expect(error.response?.body == busy.body)
    }

    @Test("A body whose stream fails is an error, and is not answered")
    func failingBodyStream() async {
        let stub = SessionStub(.text("stored"))
        var request = URLRequest(url: url, method: .put)
        request.httpBodyStream = InputStream(fileAtPath: "/nothing/here")
        #expect(await stub.session.dataResult(for: request).error != nil)
        #expect(stub.requests.isEmpty)
    }

    @Test("Every counterpart gets an empty body", arguments: APIForm.all)
    func emptyBody(_ form: APIForm) async {
        let stub = SessionStub(.response(statusCode: 204))
        #expect("\(await form.run(stub.session, request(for: form)))" == "success(0 bytes)")
    }

    @Test(
        "Every counterpart sends its request, with its body, and without the field of the stub", arguments: APIForm.all)
    func sentRequest(_ form: APIForm) async throws {
        let stub = SessionStub(.response())
        _ = await form.run(stub.session, request(for: form))
        let sent = try #require(stub.requests.first)
        #expect(sent.url == url)
        #expect(sent.httpMethod == (form.uploads ? "PUT" : "GET"))
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "secret")
        #expect(sent.httpBody == (form.uploads ? APIForm.uploadedBody : nil))
        #expect(sent.value(forHTTPHeaderField: "X-Session-Stub") == nil)
    }

    @Test("Every counterpart gets a body of several pieces whole", arguments: APIForm.all)
    func pieces(_ form: APIForm) async {
        let stub = SessionStub { _ in
            .stream { body in
                for piece in ["one", "two", "three"] { body.write(piece) }
            }
        }
        let result = await form.run(stub.session, request(for: form))
        #expect("\(result)" == (form.givesBody ? "success(11 bytes)" : "success(0 bytes)"))
    }

    @Test("Every counterpart fails if the body is cut off", arguments: APIForm.all)
    func cutOffBody(_ form: APIForm) async {
        let stub = SessionStub { _ in
            .stream { body in
                body.write("one")
                throw URLError(.networkConnectionLost)
            }
        }
        #expect(await form.run(stub.session, request(for: form)).error?.urlError?.code == .networkConnectionLost)
    }

    @Test("Every counterpart ends when it is cancelled while no answer comes", arguments: APIForm.asynchronous)
    func cancellation(_ form: APIForm) async throws {
        let stub = SessionStub(.never)
        let request = request(for: form)
        let load = Task { await form.run(stub.session, request) }
        try await stub.requests(atLeast: 1)
        load.cancel()
        #expect(await load.value.error?.isCancelled == true)
    }

    @Test("A response that has no body comes without that of the answer", arguments: APIForm.all, [200, 204, 205, 304])
    func responseWithoutBody(_ form: APIForm, statusCode: Int) async throws {
        let stub = SessionStub(.text("hello", statusCode: statusCode))
        var request = request(for: form)
        if statusCode == 200 { request.httpMethod = "HEAD" }
        #expect("\(await form.run(stub.session, request, 200..<400))" == "success(0 bytes)")
    }

    @Test(
        "Sixteen at once get their own answers, with one stub and with one each", arguments: APIForm.some,
        [true, false])
    func crowd(_ form: APIForm, sharesStub: Bool) async throws {
        let echo: @Sendable (URLRequest) -> SessionStub.Answer = { .text($0.url?.lastPathComponent ?? "") }
        let stubs = (0..<16).map { _ in SessionStub(echo) }
        let results = await withTaskGroup(of: (Int, DataResult).self) { group in
            for (index, stub) in stubs.enumerated() {
                var request = request(for: form)
                request.url = url.appendingPathComponent("\(index)")
                group.addTask { [request] in
                    (index, await form.run(sharesStub ? stubs[0].session : stub.session, request))
                }
            }
            return await group.reduce(into: [Int: DataResult]()) { $0[$1.0] = $1.1 }
        }
        for (index, result) in results { #expect(try result.get() == Data("\(index)".utf8)) }
        let counts = sharesStub ? [16] + Array(repeating: 0, count: 15) : Array(repeating: 1, count: 16)
        #expect(stubs.map(\.requests.count) == counts)
    }

    // MARK: Progress and streams

    enum Upload: CaseIterable { case data, dataWithDecoder, file }

    @Test("An upload to a stub ends with the size of its body", arguments: Upload.allCases)
    func progress(of upload: Upload) async throws {
        let session = SessionStub(.text("abc")).session
        let recorded = RecordedProgress()
        let request = URLRequest(url: url, method: .put)
        let body = Data(count: 3000)
        let error =
            switch upload {
            case .data:
                await session.uploadResult(for: request, from: body, progress: recorded.handler).error
            case .dataWithDecoder:
                await session.uploadResult(
                    for: request, from: body, decoder: .ignored, progress: recorded.handler
                ).error
            case .file:
                await TemporaryFolder().using(body) { file in
                    await session.uploadResult(for: request, fromFile: file, progress: recorded.handler).error
                }
            }
        #expect(error == nil)
        #expect(recorded.all.last == TransferProgress(completedBytes: 3000, totalBytes: 3000))
    }

    @Test("Progress ends with the size of the body", arguments: [true, false])
    func progress(isUpload: Bool) async throws {
        let stub = SessionStub { request in
            .text(String(repeating: "a", count: 5000), headers: ["Content-Length": "5000"])
        }
        let recorded = RecordedProgress()
        let session = stub.session
        if isUpload {
            let body = Data(count: 3000)
            _ = try await session.uploadResult(
                for: request(for: APIForm.all[3]), from: body, progress: recorded.handler
            ).get()
        } else {
            _ = try await session.downloadResult(from: url, decoder: .data, progress: recorded.handler).get()
        }
        let size: Int64 = isUpload ? 3000 : 5000
        #expect(recorded.all.last == TransferProgress(completedBytes: size, totalBytes: size))
    }

    @Test("A stream gives a piece while the next one is held back")
    func heldPiece() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            .stream(headers: ["Content-Type": "text/event-stream"]) { body in
                body.write("data: one\n\n")
                try await gate.opened()
                body.write("data: two\n\n")
            }
        }
        var events = try await stub.session.bytesResult(from: url).get().body.events.makeAsyncIterator()
        #expect(try await events.next()?.data == "one")
        gate.open()
        #expect(try await events.next()?.data == "two")
        #expect(try await events.next() == nil)
    }

    @Test("A stream that is left cancels the body")
    func leftStream() async throws {
        let isCancelled = SessionStub.Gate()
        let stub = SessionStub { _ in
            .stream { body in
                body.write("one")
                do { try await SessionStub.Gate().opened() } catch { isCancelled.open() }
            }
        }
        for try await _ in try await stub.session.bytesResult(from: url).get().body.chunks { break }
        try await isCancelled.opened()
    }

    // MARK: Answers

    @Test("Answers come in turn, and the last one goes on")
    func turns() async {
        let stub = SessionStub(.response(statusCode: 401), .response(statusCode: 503), .json("[]"))
        var statusCodes: [Int?] = []
        for _ in 1...4 { statusCodes.append(await stub.session.dataResult(from: url).error?.statusCode) }
        #expect(statusCodes == [401, 503, nil, nil])
    }

    @Test("Other answers are for the requests that follow, and not for one on its way")
    func otherAnswers() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            try await gate.opened()
            return .text("first")
        }
        let url = url
        async let first = stub.session.dataResult(from: url, decoder: .string())
        try await stub.requests(atLeast: 1)
        stub.answer(.failure(URLError(.notConnectedToInternet)), .text("second"))
        #expect(await stub.session.dataResult(from: url).error?.urlError?.code == .notConnectedToInternet)
        for _ in 1...2 { #expect(try await stub.session.dataResult(from: url, decoder: .string()).get() == "second") }
        stub.answer { .text($0.url?.lastPathComponent ?? "") }
        #expect(try await stub.session.dataResult(from: url, decoder: .string()).get() == "albums")
        gate.open()
        #expect(try await first.get() == "first")
        #expect(stub.requests.count == 5)
    }

    @Test(
        "Answers that are kept in variables are given by every initializer, and may be used again",
        arguments: [true, false], [nil, URLSessionConfiguration.ephemeral])
    func keptAnswers(inTurn: Bool, configuration: URLSessionConfiguration?) async throws {
        let busy = SessionStub.Answer.response(statusCode: 503)
        let album: SessionStub.Answer = .text("Blue")
        let byPath = ["/busy": busy, "/album": album]
        let answer: @Sendable (URLRequest) -> SessionStub.Answer = { request in
            byPath[request.url?.path ?? ""] ?? .failure(URLError(.badURL))
        }
        let stub =
            switch (inTurn, configuration) {
            case (true, nil): SessionStub(busy, album)
            case (true, let configuration?): SessionStub(configuration: configuration, busy, album)
            case (false, nil): SessionStub(answer)
            case (false, let configuration?): SessionStub(configuration: configuration, answer)
            }
        let server = try #require(URL(string: "https://albums.test"))
        for _ in 1...2 {
            let first = await stub.session.dataResult(from: server.appendingPathComponent("busy"))
            #expect(first.error?.statusCode == 503)
            let second = await stub.session.dataResult(
                from: server.appendingPathComponent("album"), decoder: .string())
            #expect(try second.get() == "Blue")
            if inTurn { stub.answer(busy, album) } else { stub.answer(answer) }
        }
    }

    @TaskLocal private static var test = "none"

    @Test("An answer belongs to the test that made the stub, and so does what it expects")
    func taskLocalValues() async throws {
        let stub = Self.$test.withValue("this") { SessionStub { _ in .text(Self.test) } }
        stub.answer { _ in .text(Self.test) }
        #expect(try await stub.session.dataResult(from: url, decoder: .string()).get() == "this")
    }

    @Test("An NSError of URLSession is thrown as a URLError")
    func thrownNSError() async {
        let stub = SessionStub { _ in throw NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut) }
        await #expect(throws: URLError(.timedOut)) { try await stub.session.data(from: url) }
    }

    @Test("A function may answer by what is sent, wait and throw")
    func function() async throws {
        let stub = SessionStub { request in
            guard request.httpMethod == "POST" else { throw URLError(.cannotParseResponse) }
            await Task.yield()
            return .json(String(decoding: request.httpBody ?? Data(), as: UTF8.self))
        }
        let post = try URLRequest(url: url, method: .post, json: [1, 2])
        #expect(try await stub.session.dataResult(for: post, decoder: .json([Int].self)).get() == [1, 2])
        #expect(await stub.session.dataResult(from: url).error?.urlError?.code == .cannotParseResponse)
    }

    @Test("JSON and text come with their type, unless another is given", arguments: [nil, "application/problem+json"])
    func contentType(_ type: String?) async throws {
        let headers = type.map { ["content-type": $0] } ?? [:]
        for (answer, expected) in [
            (SessionStub.Answer.json("{}", headers: headers), "application/json"),
            (.text("{}", headers: headers), "text/plain; charset=utf-8"),
        ] {
            let stub = SessionStub(answer)
            let response = try await stub.session.dataResult(from: url, decoder: .response(.data)).get()
            #expect(response.header("Content-Type") == type ?? expected)
            #expect(response.body == Data("{}".utf8))
        }
    }

    @Test("Every counterpart accepts an answer that is not HTTP", arguments: APIForm.all)
    func notHTTP(_ form: APIForm) async {
        let stub = SessionStub(.notHTTP(body: Data("hello".utf8)))
        let result = await form.run(stub.session, request(for: form))
        #expect("\(result)" == (form.givesBody ? "success(5 bytes)" : "success(0 bytes)"))
    }

    @Test("An answer that is not HTTP has a type and a length, and no status code", arguments: [nil, "text/plain"])
    func notHTTP(mimeType: String?) async throws {
        let stub = SessionStub(.notHTTP(body: Data("hello".utf8), mimeType: mimeType))
        let response = try await stub.session.dataResult(from: url, decoder: .response(.string())).get()
        #expect(response.body == "hello")
        #expect(response.statusCode == nil)
        #expect(response.urlResponse as? HTTPURLResponse == nil)
        #expect(response.urlResponse.url == url)
        #expect(response.urlResponse.mimeType == mimeType)
        #expect(response.urlResponse.expectedContentLength == 5)
    }

    @Test("An answer is read from a file, and a file that is missing is named")
    func file() async throws {
        let folder = TemporaryFolder()
        let file = folder.url.appendingPathComponent("album.json")
        #expect(throws: CocoaError.self) { try SessionStub.Answer.file(file) }
        try Data("[1]".utf8).write(to: file)
        let stub = try SessionStub(.file(file, statusCode: 201))
        let response = try await stub.session.dataResult(from: url, decoder: .response(.json([Int].self))).get()
        #expect(response.body == [1])
        #expect(response.statusCode == 201)
        #expect(response.header("Content-Type") == "application/json")
    }

    @Test("An answer is read from the resource of a bundle, and one that is missing is named")
    func resource() async throws {
        let folder = TemporaryFolder()
        try Data("[1]".utf8).write(to: folder.url.appendingPathComponent("album.json"))
        let bundle = try #require(Bundle(url: folder.url))
        let stub = try SessionStub(.resource("album.json", in: bundle))
        #expect(try await stub.session.dataResult(from: url, decoder: .json([Int].self)).get() == [1])
        let error = #expect(throws: CocoaError.self) { try SessionStub.Answer.resource("song.json", in: bundle) }
        #expect(error?.filePath == "song.json")
    }

    // MARK: Sessions

    @Test("The configuration of a client is kept, and its fields are sent")
    func configuration() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["User-Agent": "Albums/1", "Accept": "text/html"]
        configuration.timeoutIntervalForRequest = 7
        let stub = SessionStub(configuration: configuration, .json("[]"))
        #expect(configuration.httpAdditionalHeaders?.count == 2)
        #expect(stub.session.configuration.timeoutIntervalForRequest == 7)
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        _ = await stub.session.dataResult(for: request)
        let sent = try #require(stub.requests.first)
        #expect(sent.value(forHTTPHeaderField: "User-Agent") == "Albums/1")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
    }

    @Test("A client may make its own session of the configuration")
    func ownSession() async throws {
        let stub = SessionStub(.json("[]"))
        let delegate = SessionDelegate()
        let session = delegate.session(with: stub.session.configuration)
        _ = try await session.dataResult(from: url).get()
        #expect(stub.requests.count == 1)
    }

    @Test("Code without the library gets the answers, and shows what it sends")
    func withoutLibrary() async throws {
        let stub = SessionStub { _ in
            .stream { body in
                body.write("one")
                body.write("two")
            }
        }
        let session = stub.session
        var put = URLRequest(url: url, method: .put)
        // URLSession sends what is uploaded in its place.
        put.httpBody = Data("ignored".utf8)
        let folder = TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        try Data("file".utf8).write(to: file)
        var bodies = [try await session.data(from: url).0]
        bodies.append(try await session.upload(for: put, from: Data("data".utf8)).0)
        bodies.append(try await session.upload(for: put, fromFile: file).0)
        #expect(bodies == Array(repeating: Data("onetwo".utf8), count: 3))
        #expect(stub.requests.map(\.httpBody) == [nil, Data("data".utf8), Data("file".utf8)])
    }

    @Test("A stub answers as long as its session is kept")
    func keptSession() async throws {
        let session = SessionStub(.json("[]")).session
        for _ in 1...2 { #expect(try await session.dataResult(from: url).get() == Data("[]".utf8)) }
    }

    @Test("A session that names no stub fails with the reason")
    func lostField() async {
        // On Apple's platforms, the only stub would answer.
        let stubs = [SessionStub(.json("[]")), SessionStub(.json("[]"))]
        let configuration = stubs[0].session.configuration
        configuration.httpAdditionalHeaders = ["User-Agent": "Albums/1"]
        let error = await URLSession(configuration: configuration).dataResult(from: url).error?.urlError
        #expect(error?.code == .unsupportedURL)
        let reason = "The httpAdditionalHeaders of the session's configuration name no SessionStub."
        #expect(error?.userInfo[NSLocalizedDescriptionKey] as? String == reason)
        #expect(stubs.allSatisfy { $0.requests.isEmpty })
    }

    @Test("A URL may have any scheme", arguments: APIForm.some)
    func scheme(_ form: APIForm) async throws {
        let stub = SessionStub(.text("hello"))
        var request = request(for: form)
        request.url = URL(string: "albums:all")
        #expect(try await form.run(stub.session, request).get() == Data("hello".utf8))
    }

    @Test("A data URL needs no stub")
    func dataURL() async throws {
        let stub = SessionStub(.failure(URLError(.badURL)))
        let url = try #require(URL(string: "data:,abc"))
        #expect(try await stub.session.dataResult(from: url).get() == Data("abc".utf8))
        #expect(stub.requests.isEmpty)
    }

    @Test("A body stream is read")
    func bodyStream() async throws {
        let stub = SessionStub(.response())
        var request = URLRequest(url: url, method: .post)
        let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        request.httpBodyStream = InputStream(data: body)
        _ = await stub.session.dataResult(for: request)
        #expect(stub.requests.first?.httpBody == body)
    }

    @Test("A request may be cancelled by the function that answers it")
    func cancellationByAnswer() async {
        let load = Monitor<Task<DataResult, Never>?>(nil)
        let stub = SessionStub { _ in
            load.value?.cancel()
            try await SessionStub.Gate().opened()
            return .json("[]")
        }
        let url = url
        let begin = SessionStub.Gate()
        let task = Task {
            try? await begin.opened()
            return await stub.session.dataResult(from: url)
        }
        load.withLock { $0 = task }
        begin.open()
        #expect(await task.value.error?.isCancelled == true)
    }

    @Test("Waiting for a request that never comes ends with the task")
    func awaitedRequest() async {
        let stub = SessionStub(.json("[]"))
        let wait = Task { try await stub.requests(atLeast: 1) }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    @Test("A thousand stubs answer at once")
    func thousand() async {
        let url = url
        let count = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    let stub = SessionStub(.text("\(index)"))
                    return "\(await stub.session.dataResult(from: url, decoder: .string()))" == "success(\"\(index)\")"
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1000)
    }
}

import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

/// What a response says about its request.
@Suite(.inTurn)
struct TransferMetricsTests {
    private let session = URLSession(configuration: .forTests)

    // MARK: Connections

    @Test(
        "The metrics are those of a new connection, then of a kept one", arguments: MetricsForm.all, [true, false])
    func connections(_ form: MetricsForm, isSmall: Bool) async throws {
        let count = isSmall ? 3 : 300_000
        let server = try LoopbackServer(.ok(Data(count: count)))
        for isReused in [false, true] {
            let metrics = try #require(await form.metrics(session, server.url()))
            #expect(metrics.networkProtocolName == "http/1.1")
            #expect(metrics.isReusedConnection == isReused)
            #expect((metrics.domainLookupDuration == nil) == isReused)
            #expect((metrics.connectDuration == nil) == isReused)
            #expect(metrics.secureConnectionDuration == nil)
            #expect(metrics.remoteAddress == "127.0.0.1")
            #expect(metrics.remotePort == Int(server.port))
            let firstByte = try #require(metrics.timeToFirstByte)
            let connecting = (metrics.domainLookupDuration ?? 0) + (metrics.connectDuration ?? 0)
            #expect(connecting >= 0)
            #expect(firstByte >= connecting)
            #expect(metrics.duration >= firstByte)
            #expect(metrics.countOfRequestBodyBytesSent == Int64(form.sentCount))
            #expect(metrics.countOfResponseBodyBytesReceived == Int64(count))
        }
        #expect(server.connectionCounts.accepted == 1)
    }

    @Test("The metrics of a redirected request are those of the last one", arguments: MetricsForm.all)
    func redirect(_ form: MetricsForm) async throws {
        let target = try LoopbackServer(.ok("12345"))
        let server = try LoopbackServer(.redirect(to: target.url().absoluteString, status: 307))
        let metrics = try #require(await form.metrics(session, server.url()))
        #expect(metrics.remotePort == Int(target.port))
        #expect(metrics.countOfResponseBodyBytesReceived == 5)
        #expect(!metrics.isReusedConnection)
    }

    @Test(
        "The metrics of a redirect that is not followed, or of a refused challenge, are its own", arguments: [302, 401])
    func unfollowed(status: Int) async throws {
        let fields: KeyValuePairs = ["Location": "/there", "WWW-Authenticate": #"Basic realm="x""#]
        let server = try LoopbackServer(.status(status, "moved", headers: fields))
        let delegate = SessionDelegate { _ in nil }
        for form in MetricsForm.all {
            let session = delegate.session()
            defer { session.finishTasksAndInvalidate() }
            let error = try #require(await form.run(session, form.request(server.url())).error)
            #expect(error.statusCode == status)
            #expect(error.response?.metrics?.countOfResponseBodyBytesReceived == 5, "\(form)")
        }
    }

    // MARK: Times and bytes

    @Test("A stream has metrics when its body has arrived, with the time that it took")
    func stream() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 4)
            gate.wait()
            try connection.send("late")
        }
        let response = try await session.bytesResult(from: server.url()).get()
        #expect(response.metrics == nil)
        let start = ContinuousClock.now
        let pause = Duration.milliseconds(20)
        while ContinuousClock.now < start + pause { await Task.yield() }
        gate.open()
        #expect(try await response.body.collect(upTo: 10) == Data("late".utf8))
        let metrics = try #require(response.metrics)
        #expect(metrics.duration - (metrics.timeToFirstByte ?? 0) >= 0.019)
        #expect(response.map { _ in }.metrics == metrics)
    }

    @Test("The time to the first byte has that which the server took to answer", arguments: MetricsForm.all)
    func firstByte(_ form: MetricsForm) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok().once(gate))
        let url = server.url()
        async let metrics = form.metrics(session, url)
        try await server.requests(atLeast: 1)
        let start = ContinuousClock.now
        while ContinuousClock.now < start + .milliseconds(20) { await Task.yield() }
        gate.open()
        #expect(try #require(await metrics?.timeToFirstByte) >= 0.019)
    }

    #if canImport(FoundationNetworking)
    @Test("The time to the first byte has that which a request waits for a connection, and the look-up has not")
    func waiting() async throws {
        let gate = Gate()
        // The second request needs a new connection.
        let closing = LoopbackServer.Response.ok("", headers: ["Connection": "close"])
        let server = try LoopbackServer(["/first": closing.once(gate), "/second": .ok()])
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let first = server.url("/first")
        async let closed = session.dataResult(from: first)
        try await server.requests(atLeast: 1)
        let second = Monitor<TransferMetrics?>(nil)
        session.dataTask(with: server.url("/second"), decoder: .response(.ignored)) { result in
            second.withLock { $0 = try? result.get().metrics }
        }.resume()
        // libcurl has got the second request when this one is answered.
        let other = try LoopbackServer(.ok())
        #expect(await session.dataResult(from: other.url()).error == nil)
        let start = ContinuousClock.now
        while ContinuousClock.now < start + .milliseconds(20) { await Task.yield() }
        gate.open()
        #expect(await closed.error == nil)
        let metrics = try #require(await second.value { $0 != nil })
        #expect(!metrics.isReusedConnection)
        let timeToFirstByte = try #require(metrics.timeToFirstByte)
        #expect(timeToFirstByte >= 0.019)
        #expect(try #require(metrics.domainLookupDuration) <= timeToFirstByte - 0.019)
    }

    @Test("A stream that is cut off has metrics, and one that is cancelled has none", arguments: [true, false])
    func endedStream(isCut: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 10)
            try connection.send("short")
            if isCut { connection.close() } else { connection.waitForClientToClose() }
        }
        let response = try await session.bytesResult(from: server.url()).get()
        if isCut {
            await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 10) }
        } else {
            // Who leaves the loop cancels the request.
            for try await _ in response.body.chunks { break }
        }
        #expect(response.metrics?.countOfResponseBodyBytesReceived == (isCut ? 5 : nil))
    }
    #endif

    @Test("The bytes are those before they are decoded", arguments: MetricsForm.all)
    func compressed(_ form: MetricsForm) async throws {
        let body = Data(count: 10_000).inGzip
        let server = try LoopbackServer(.ok(body, headers: ["Content-Encoding": "gzip"]))
        let metrics = await form.metrics(session, server.url())
        #expect(metrics?.countOfResponseBodyBytesReceived == Int64(body.count))
    }

    // MARK: Who has them

    @Test("Errors have the metrics where a success has them", arguments: MetricsForm.all)
    func errors(_ form: MetricsForm) async throws {
        let server = try LoopbackServer(.status(404, "missing"))
        let error = await form.run(session, form.request(server.url())).error
        #expect(error?.response?.metrics?.countOfResponseBodyBytesReceived == 7)
    }

    #if canImport(FoundationNetworking)  // The model of Apple's URLSession answers no Digest.
    @Test(
        "An answer to Digest that is refused has metrics, with a body and without", arguments: MetricsForm.all,
        ["", "no"])
    func refusedDigest(_ form: MetricsForm, body: String) async throws {
        let challenge = #"Digest realm="x", nonce="1", qop="auth""#
        let server = try LoopbackServer(.status(401, body, headers: ["WWW-Authenticate": challenge]))
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        let session = SessionDelegate(challenge: (.useCredential, credential)).session()
        let error = await form.run(session, form.request(server.url())).error
        #expect(error?.statusCode == 401)
        #expect(error?.response?.metrics?.isReusedConnection == true)
    }
    #endif

    @Test("A response that cannot be decoded has metrics if the decoder takes it")
    func decodingErrors() async throws {
        let server = try LoopbackServer(.ok("text"))
        let taken = await session.dataResult(from: server.url(), decoder: .response(.json(Int.self)).map(\.body))
        #expect(taken.error?.response?.metrics != nil)
        let ignored = await session.dataResult(from: server.url(), decoder: .json(Int.self))
        #expect(ignored.error?.response != nil)
        #expect(ignored.error?.response?.metrics == nil)
    }

    @Test("Metrics stay with a response whose status is judged later, or that is decoded again")
    func laterDecoding() async throws {
        let server = try LoopbackServer(.status(404, "missing"))
        let result = await session.dataResult(from: server.url(), decoder: .response(.data), accepting: 0..<999)
        let response = try result.get()
        #expect(response.metrics != nil)
        #expect(try response.decode(with: .response(.string())).get().metrics == response.metrics)
        let error = response.decode(with: .data, accepting: 200..<300).error
        #expect(error?.response?.metrics == response.metrics)
    }

    @Test("A stub and a URLProtocol of the caller have none", arguments: MetricsForm.all)
    func unknown(_ form: MetricsForm) async throws {
        let stub = SessionStub(.text("abc"))
        defer { stub.session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: "https://mock.test/startLoading/hello"))
        let mocked = URLSession(configuration: .withMock)
        defer { mocked.finishTasksAndInvalidate() }
        for session in [stub.session, mocked] {
            let response = try await form.run(session, form.request(url)).get()
            #expect(response.metrics == nil)
        }
    }

    #if canImport(FoundationNetworking)
    @Test("A request that is redirected to a URLProtocol of the caller has none", arguments: MetricsForm.all)
    func redirectToMock(_ form: MetricsForm) async throws {
        let server = try LoopbackServer(.redirect(to: "https://mock.test/startLoading/hello", status: 307))
        let session = URLSession(configuration: .withMock)
        defer { session.finishTasksAndInvalidate() }
        let response = try await form.run(session, form.request(server.url())).get()
        #expect(response.urlResponse.url?.host == "mock.test")
        #expect(response.metrics == nil)
    }
    #else
    @Test("The delegates get their metrics as before", arguments: [true, false], MetricsForm.all)
    func delegates(isOfSession: Bool, _ form: MetricsForm) async throws {
        let server = try LoopbackServer(.ok())
        let count = Monitor(0)
        let delegate = MetricsDelegate { _ in count.withLock { $0 += 1 } }
        let session = URLSession(
            configuration: .forTests, delegate: isOfSession ? delegate : nil, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let request = form.request(server.url())
        let result = await form.run(session, request, delegate: isOfSession ? nil : delegate)
        #expect(try result.get().metrics != nil)
        #expect(count.value == (isOfSession || form.takesDelegate ? 1 : 0))
    }
    #endif

    @Test(
        "A time has three decimals, whatever it is",
        arguments: [
            (0, "0.000"), (0.0424, "0.042"), (0.9996, "1.000"), (61.5, "61.500"), (-1, "-1.000"), (.infinity, "inf"),
        ] as [(TimeInterval, String)])
    func time(_ seconds: TimeInterval, _ text: String) {
        #expect(seconds.withMilliseconds == text)
    }

    @Test("Metrics are shown in a line, without the address", arguments: [true, false])
    func description(isReused: Bool) throws {
        let url = try #require(URL(string: "https://example.com/"))
        let urlResponse = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let metrics = TransferMetrics(
            networkProtocolName: "h2", isReusedConnection: isReused, remoteAddress: "127.0.0.1", remotePort: 443,
            domainLookupDuration: isReused ? nil : 0.001, connectDuration: isReused ? nil : 0.002,
            secureConnectionDuration: isReused ? nil : 0.0034, timeToFirstByte: 0.01, duration: 1.5)
        let response = NetworkResponse(body: (), urlResponse: urlResponse, metrics: metrics)
        #expect(response.metrics == metrics)
        let connection = isReused ? "kept" : "new connection, look-up 0.001 s, connect 0.002 s, TLS 0.003 s"
        let expected = "h2, \(isReused ? "kept connection" : connection), first byte 0.010 s, end 1.500 s"
        #expect(metrics.description == expected)
        #expect(NetworkResponse(body: (), urlResponse: urlResponse).metrics == nil)
    }
}

/// A way to ask for a whole response.
struct MetricsForm: Sendable, CustomTestStringConvertible {
    typealias Send =
        @Sendable (URLSession, URLRequest, (any URLSessionTaskDelegate)?) async -> Result<
            NetworkResponse<Void>, NetworkError
        >

    let testDescription: String
    var uploads = false
    var takesDelegate = true
    private let send: Send

    private static let body = Data(count: 70_000)

    init(_ name: String, uploads: Bool = false, takesDelegate: Bool = true, _ send: @escaping Send) {
        testDescription = name
        self.uploads = uploads
        self.takesDelegate = takesDelegate
        self.send = send
    }

    var sentCount: Int { uploads ? Self.body.count : 0 }

    func request(_ url: URL) -> URLRequest { URLRequest(url: url, method: uploads ? .put : .get) }

    func run(
        _ session: URLSession, _ request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async -> Result<NetworkResponse<Void>, NetworkError> {
        await send(session, request, delegate)
    }

    func metrics(_ session: URLSession, _ url: URL) async -> TransferMetrics? {
        try? await run(session, request(url)).get().metrics
    }

    static let all: [MetricsForm] = [
        MetricsForm("dataResult") { session, request, delegate in
            await session.dataResult(for: request, decoder: .response(.ignored), delegate: delegate)
        },
        MetricsForm("dataResult, of a function of the response") { session, request, delegate in
            await session.dataResult(for: request, decoder: .response { $0.map { _ in } }, delegate: delegate)
        },
        MetricsForm("dataTask", takesDelegate: false) { session, request, _ in
            await withCheckedContinuation { continuation in
                session.dataTask(with: request, decoder: .response(.ignored)) { result in
                    continuation.resume(returning: result)
                }.resume()
            }
        },
        MetricsForm("uploadResult", uploads: true) { session, request, delegate in
            await session.uploadResult(
                for: request, from: body, decoder: .response(.ignored), delegate: delegate)
        },
        MetricsForm("uploadTask", uploads: true, takesDelegate: false) { session, request, _ in
            await withCheckedContinuation { continuation in
                session.uploadTask(with: request, from: body, decoder: .response(.ignored)) { result in
                    continuation.resume(returning: result)
                }.resume()
            }
        },
        MetricsForm("uploadResult from a file", uploads: true) { session, request, delegate in
            let folder = TemporaryFolder()
            return await session.uploadResult(
                for: request, fromFile: folder.file("body", body), decoder: .response(.ignored), delegate: delegate)
        },
        MetricsForm("uploadTask from a file", uploads: true, takesDelegate: false) { session, request, _ in
            let folder = TemporaryFolder()
            let file = folder.file("body", body)
            return await withCheckedContinuation { continuation in
                session.uploadTask(with: request, fromFile: file, decoder: .response(.ignored)) { result in
                    continuation.resume(returning: result)
                }.resume()
            }
        },
        MetricsForm("downloadResult") { session, request, delegate in
            await session.downloadResult(for: request, decoder: .response(.ignored), delegate: delegate)
        },
        MetricsForm("downloadTask", takesDelegate: false) { session, request, _ in
            await withCheckedContinuation { continuation in
                session.downloadTask(with: request, decoder: .response(.ignored)) { result in
                    continuation.resume(returning: result)
                }.resume()
            }
        },
        MetricsForm("downloadResponse") { session, request, delegate in
            let folder = TemporaryFolder()
            let result = await session.downloadResponse(for: request, to: folder.file(), delegate: delegate)
            return result.map { response in response.map { _ in } }
        },
        MetricsForm("bytesResult") { session, request, delegate in
            do throws(NetworkError) {
                let response = try await session.bytesResult(for: request, delegate: delegate).get()
                _ = try await response.body.collect(upTo: .max)
                return .success(response.map { _ in })
            } catch {
                return .failure(error)
            }
        },
    ]
}

#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// Servers whose authority is trusted, over HTTP/1.1 and HTTP/2.
///
/// `make test-trusted` starts the servers and runs these tests. Without the servers they do not run.
@Suite(.inTurn, .enabled(if: TrustedServer.areRunning))
struct TrustedServerTests {
    @Test("The servers speak the protocols that they are to speak", arguments: TrustedServer.valid)
    func protocols(server: TrustedServer) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let response = try await session.dataResult(from: server.url("/"), decoder: .response(.data)).get()
        #expect(response.header("X-Protocol") == (server == .http2 ? "HTTP/2.0" : "HTTP/1.1"))
    }

    @Test(
        "The metrics name the protocol and the time of the handshake, then a kept connection",
        arguments: TrustedServer.valid, MetricsForm.all)
    func metrics(server: TrustedServer, form: MetricsForm) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        for isReused in [false, true] {
            let metrics = try #require(await form.metrics(session, server.url("/")))
            #expect(metrics.networkProtocolName == (server == .http2 ? "h2" : "http/1.1"))
            #expect(metrics.isReusedConnection == isReused)
            #expect((metrics.domainLookupDuration == nil) == isReused)
            #expect((metrics.connectDuration == nil) == isReused)
            #expect((metrics.secureConnectionDuration ?? 0 > 0) == !isReused)
            #expect(metrics.remotePort == server.port)
            let steps = [metrics.domainLookupDuration, metrics.connectDuration, metrics.secureConnectionDuration]
            let connecting = steps.reduce(0) { $0 + ($1 ?? 0) }
            let firstByte = try #require(metrics.timeToFirstByte)
            #expect(firstByte >= connecting - 0.000_01)
            #expect(metrics.duration >= firstByte)
        }
    }

    @Test(
        "Of requests at once over HTTP/2, one has made the connection",
        .enabled(if: Curl.loaded?.multiplexes == true))
    func sharedMetrics() async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let url = try TrustedServer.http2.url("/")
        let isReused = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { await MetricsForm.all[0].metrics(session, url)?.isReusedConnection }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(isReused.count { $0 == false } == 1)
        #expect(isReused.count { $0 == true } == 7)
    }

    @Test(
        "Every form of Location leads where a browser would go, over TLS",
        arguments: APIForm.some,
        [
            ("sibling", "/a/b/sibling"), ("../up", "/a/up"), ("./", "/a/b/"), ("?q=1", "/a/b/c?q=1"),
            ("/a%2Fb", "/a%2Fb"), ("/gr%C3%BCn", "/gr%C3%BCn"), ("//localhost:PORT/there", "/there"),
            ("https://localhost:PORT/there", "/there"),
        ])
    func location(_ form: APIForm, _ row: (location: String, target: String)) async throws {
        for server in TrustedServer.valid {
            let port = try #require(server.port)
            let location = row.location.replacingOccurrences(of: "PORT", with: "\(port)")
            let body = try await form(server.url("/a/b/c?to=\(location)")).get()
            if form.givesBody { #expect(String(decoding: body, as: UTF8.self) == row.target) }
        }
    }

    @Test("A compressed body has no total until it is there", arguments: TrustedServer.valid, [true, false])
    func compressed(server: TrustedServer, toFile: Bool) async throws {
        let size = 1_000_000
        let loopback = try LoopbackServer(.ok(Data(count: size).inGzip, headers: ["Content-Encoding": "gzip"]))
        let url = try server.url("/loopback/\(loopback.port)/")
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        let reports = Monitor<[TransferProgress]>([])
        let note: ProgressHandler = { report in reports.withLock { $0.append(report) } }
        if toFile {
            let folder = TemporaryFolder()
            _ = try await session.downloadResult(from: url, to: folder.file(), progress: note).get()
        } else {
            #expect(try await session.dataResult(from: url, progress: note).get().count == size)
        }
        #expect(reports.value.count > 1)
        #expect(reports.value.dropLast().allSatisfy { $0.totalBytes == nil })
        #expect(reports.value.last == TransferProgress(completedBytes: Int64(size), totalBytes: Int64(size)))
    }

    @Test(
        "A long file and long data arrive with their length, also over HTTP/2 and after a redirect",
        arguments: TrustedServer.valid, [true, false])
    func streamedUpload(server: TrustedServer, isFile: Bool) async throws {
        let body = Data.blocks(100, ofSize: 32_000)
        let loopback = try LoopbackServer { request, connection in
            if request.path == "/" {
                try connection.respond(307, headers: ["Location": "target"])
            } else {
                try connection.respond(200, body: request.body)
            }
        }
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(url: try server.url("/loopback/\(loopback.port)/"), method: .put)
        let folder = TemporaryFolder()
        let result =
            if isFile {
                await session.uploadResult(for: request, fromFile: folder.file("file", body))
            } else {
                await session.uploadResult(for: request, from: body)
            }
        #expect(try result.get() == body)
        #expect(loopback.requests.map { $0.header("Content-Length") } == ["\(body.count)", "\(body.count)"])
        #expect(loopback.requests.allSatisfy { $0.header("Transfer-Encoding") == nil })
    }

    @Test(
        "Redirects are followed while other requests use the same connection, each by every way to ask",
        arguments: TrustedServer.valid, APIForm.redirected)
    func crowd(server: TrustedServer, form: APIForm) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(url: try server.url("/a/b/c?to=/there"))
        for _ in 0..<10 {
            let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await form.run(session, request, 200..<300).get() }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(bodies.count == 20)
            if form.givesBody { #expect(Set(bodies) == [Data("/there".utf8)]) }
        }
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    /// With libcurl 8.9 and later, closing a session that has an idle connection with TLS ends the process.
    @Test(
        "Sessions that are used once and dropped, or invalidated, leave the process alive",
        arguments: TrustedServer.valid, APIForm.some)
    func droppedSessions(server: TrustedServer, form: APIForm) async throws {
        await #expect(processExitsWith: .success) {
            [serverName = server.rawValue as String, formName = form.testDescription as String] in
            let server = try #require(TrustedServer(rawValue: serverName))
            let form = try #require(APIForm.named(formName))
            for path in ["/", "/a/b/c?to=/there", "/challenge"] {
                for isInvalidated in [false, true, false] {
                    let session = URLSession(configuration: .ephemeral)
                    var request = URLRequest(url: try server.url(path))
                    if form.uploads { request.httpMethod = "PUT" }
                    let result = await form.run(session, request)
                    #expect(result.error?.statusCode == (path == "/challenge" ? 401 : nil))
                    if isInvalidated { session.invalidateAndCancel() }
                }
            }
        }
    }
    #endif

    @Test("Redirects over TLS that never end are too many", arguments: APIForm.redirected)
    func endlessRedirects(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/"), over: .tls(.valid))
        let error = await form(server.url()).error
        #expect(error?.urlError?.code == .httpTooManyRedirects)
        #expect(server.requests.count == 21)
    }

    @Test("A request that was redirected over TLS is cancelled with its task or its session", arguments: [true, false])
    func cancelledRedirect(byTask: Bool) async throws {
        let isHungUp = Gate()
        let silence = LoopbackServer.Response { _, connection in
            connection.waitForClientToClose()
            isHungUp.open()
        }
        let server = try LoopbackServer(.redirect(to: "/target", then: silence), over: .tls(.valid))
        let session = URLSession(configuration: .ephemeral)
        let result = Monitor<DataResult?>(nil)
        let task = session.dataTask(with: server.url()) { (outcome: DataResult) in result.withLock { $0 = outcome } }
        task.resume()
        try await server.requests(atLeast: 2)
        if byTask { task.cancel() } else { session.invalidateAndCancel() }
        let value = try await result.value { $0 != nil }
        #expect(value?.error?.isCancelled == true)
        try await isHungUp.opened()
    }

    @Test("A handler runs on the queue of its session after a redirect over TLS", arguments: [1, 4])
    func queue(width: Int) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok()), over: .tls(.valid))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = width
        let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        let isOnQueue = await withCheckedContinuation { continuation in
            session.dataTask(with: server.url()) { (_: DataResult) in
                continuation.resume(returning: OperationQueue.current === queue)
            }.resume()
        }
        #expect(isOnQueue)
        #expect(server.requests.count == 2)
    }

    @Test("A session that lets its tasks finish waits for those that are redirected over TLS")
    func finishedRedirect() async throws {
        let gate = Gate()
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("there").once(gate)), over: .tls(.valid))
        let ending = SessionEnd()
        let session = URLSession(configuration: .ephemeral, delegate: ending, delegateQueue: nil)
        let url = server.url()
        async let result: DataResult = session.dataResult(from: url)
        try await server.requests(atLeast: 1)
        async let end: Void = ending.follows(session)
        try await server.requests(atLeast: 2)
        gate.open()
        #expect(try await result.get() == Data("there".utf8))
        try await end
    }

    @Test("A delegate stops the second redirect over TLS, or changes it")
    func secondRedirect() async throws {
        let server = try LoopbackServer(
            ["/": .redirect(to: "/1"), "/1": .redirect(to: "/2"), "/2": .ok("2"), "/3": .ok("3")], over: .tls(.valid))
        let third = server.url("/3")
        let changing = SessionDelegate { request in request.url?.path == "/2" ? URLRequest(url: third) : request }
        #expect(try await changing.session().dataResult(from: server.url()).get() == Data("3".utf8))
        let stopping = SessionDelegate { request in request.url?.path == "/2" ? nil : request }
        let response = try #require(await stopping.session().dataResult(from: server.url()).error?.response)
        #expect(response.statusCode == 302)
        #expect(response.header("Location") == "/2")
        #expect(stopping.redirects.value == 2)
    }

    @Test(
        "A cookie is stored and sent as its attributes say",
        arguments: TrustedServer.valid,
        [
            ("plain", "/cookie", true), ("secure", "/cookie", true), ("path", "/cookie", false),
            ("expired", "/cookie", false), ("lasting", "/cookie", true), ("aged", "/cookie", true),
            ("dead", "/cookie", false), ("domain", "/cookie", true), ("other", "/cookie", false),
            ("hidden", "/cookie", true),
        ])
    func cookie(server: TrustedServer, _ row: (name: String, path: String, isSent: Bool)) async throws {
        for form in APIForm.some where !form.uploads {
            let configuration = URLSessionConfiguration.ephemeral
            _ = try await form(server.url("/?set=\(row.name)"), in: URLSession(configuration: configuration)).get()
            let body = try await form(server.url(row.path), in: URLSession(configuration: configuration)).get()
            #expect(String(decoding: body, as: UTF8.self) == (row.isSent ? "a=b" : ""))
        }
    }

    @Test("A Secure cookie from https does not go to http", arguments: TrustedServer.valid)
    func secureCookie(server: TrustedServer) async throws {
        let plainServer = try LoopbackServer(.ok())
        let plainURL = try #require(URL(string: "http://localhost:\(plainServer.port)/"))
        let configuration = URLSessionConfiguration.ephemeral
        for url in try [server.url("/?set=secure"), plainURL] {
            _ = try await APIForm.all[0](url, in: URLSession(configuration: configuration)).get()
        }
        #expect(plainServer.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test("Credentials do not follow a redirect from https to http, nor to another port", arguments: APIForm.all)
    func credentials(form: APIForm) async throws {
        let plainServer = try LoopbackServer(.ok())
        let url = try TrustedServer.http1.url("/a/b/c?to=http://localhost:\(plainServer.port)/")
        _ = try await form(url, headers: ["Authorization": "secret", "Cookie": "secret"]).get()
        #expect(plainServer.requests.map { $0.header("Authorization") } == [nil])
        #expect(plainServer.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test(
        "A certificate that is refused has Apple's code",
        arguments: [
            (.expired, .serverCertificateHasBadDate), (.notYetValid, .serverCertificateNotYetValid),
            (.otherName, .serverCertificateUntrusted),
        ] as [(TrustedServer, URLError.Code)], APIForm.some)
    func certificate(_ row: (server: TrustedServer, code: URLError.Code), _ form: APIForm) async throws {
        let error = try #require(await form(row.server.url("/")).error)
        #expect(error.urlError?.code == row.code)
        #expect(error.localizedDescription.hasPrefix("The certificate of"))
    }
}

/// One of the servers that `make test-trusted` starts.
enum TrustedServer: String, CaseIterable, Codable, Sendable {
    case http1, http2, expired, notYetValid, otherName

    static let valid = [http1, http2]

    static var areRunning: Bool { !ports.isEmpty }

    private static let ports: [Substring: Int] = {
        let list = ProcessInfo.processInfo.environment["TRUSTED_SERVERS"] ?? ""
        let pairs = list.split(separator: " ").map { $0.split(separator: "=") }
        return Dictionary(uniqueKeysWithValues: pairs.compactMap { pair in Int(pair[1]).map { (pair[0], $0) } })
    }()

    var port: Int? { Self.ports[Substring(rawValue)] }

    func url(_ target: String) throws -> URL {
        let port = try #require(self.port)
        return try #require(URL(string: "https://localhost:\(port)\(target)"))
    }
}

extension APIForm {
    fileprivate static let redirected = some.filter { !$0.uploads }
}

#endif

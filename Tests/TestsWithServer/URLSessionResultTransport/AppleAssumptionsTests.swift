import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

/// What nothing but Apple's `URLSession` can tell: see docs/AppleAssumptions.md. Linux runs these tests, too.
@Suite(.inTurn)
struct AppleAssumptionsTests {
    private let session = URLSession(configuration: .forTests)

    @Test("A request may have a delegate, and so may a stream")
    func delegates() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let delegate = NoDecisions()
        #expect(try await session.dataResult(from: server.url(), delegate: delegate).get() == Data("abc".utf8))
        let body = try await session.bytesResult(from: server.url(), delegate: delegate).get().body
        #expect(try await body.collect(upTo: 3) == Data("abc".utf8))
    }

    @Test("50 MB arrive whole and in order, although their reader pauses")
    func pauses() async throws {
        let blocks = (0..<50).map { Data(repeating: $0, count: 1 << 20) }
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(50 << 20)\r\n\r\n")
            for block in blocks { try connection.send(block) }
        }
        var received = Data()
        for try await chunk in try await session.bytesResult(from: server.url()).get().body.chunks {
            if received.count >> 20 != (received.count + chunk.count) >> 20 {
                for _ in 0..<20 { await Task.yield() }
            }
            received += chunk
        }
        #expect(received == blocks.reduce(into: Data()) { $0 += $1 })
    }

    @Test("1,000 redirects of a stub are followed")
    func stubbedRedirects() async throws {
        let url = try #require(URL(string: "https://example.com/"))
        let stub = SessionStub { request in
            request.url?.path == "/there" ? .text("abc") : .redirect(to: url.appendingPathComponent("there"))
        }
        let bodies = await withTaskGroup(of: Data?.self) { group in
            for _ in 0..<1000 { group.addTask { try? await stub.session.dataResult(from: url).get() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count { $0 == Data("abc".utf8) } == 1000)
    }

    @Test("A file that cannot be uploaded is an error, in a session whose mock takes every URL")
    func missingFile() async throws {
        let stub = SessionStub(.text("abc"))
        let request = URLRequest(url: try #require(URL(string: "https://example.com/")), method: .put)
        let result = await stub.session.uploadResult(for: request, fromFile: URL(fileURLWithPath: "/none/file"))
        #expect(result.error?.underlyingError is CocoaError)
        #expect(stub.requests.isEmpty)
    }

    @Test("A reader may pause for longer than the timeout of the request")
    func longPause() async throws {
        let size = 8 << 20
        let server = try LoopbackServer(.zeros(size))
        let silence = try LoopbackServer(.silent)
        var request = URLRequest(url: server.url())
        request.timeoutInterval = 3
        var count = 0
        for try await chunk in try await session.bytesResult(for: request).get().body.chunks {
            if count == 0 {
                // Twice its timeout.
                request.url = silence.url()
                for _ in 1...2 { #expect(await session.dataResult(for: request).error?.urlError?.code == .timedOut) }
            }
            count += chunk.count
        }
        #expect(count == size)
    }

    #if canImport(Darwin)
    @Test("A stub answers in either loading mode", arguments: [true, false])
    @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    func loadingModes(isClassic: Bool) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.usesClassicLoadingMode = isClassic
        let stub = SessionStub(configuration: configuration, .text("abc"))
        defer { stub.session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: "https://example.com/"))
        #expect(try await stub.session.dataResult(from: url).get() == Data("abc".utf8))
    }

    @Test("A Swift task may be cancelled while its request is made, and has a delegate")
    func cancelledWhileMade() async throws {
        let whenCreated = Monitor<(@Sendable (URLSessionTask) -> Void)?>(nil)
        let session = URLSession(
            configuration: .forTests, delegate: CreationDelegate { whenCreated.value?($0) }, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let isReady = Gate()
        let running = Task {
            try? await isReady.opened()
            return await session.dataResult(from: url, delegate: NoDecisions())
        }
        whenCreated.withLock { $0 = { _ in running.cancel() } }
        isReady.open()
        #expect(await running.value.error?.isCancelled == true)
    }

    @Test("A session's delegate may give a new task a delegate, which decides", arguments: APIForm.some)
    func delegateOfCreation(form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("abc")))
        let session = URLSession(
            configuration: .forTests, delegate: CreationDelegate { $0.delegate = NoRedirects() }, delegateQueue: nil)
        #expect(await form(server.url(), in: session).error?.statusCode == 302)
    }

    @Test("The delegate of a request is told of its task, once", arguments: APIForm.asynchronous)
    func creation(form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let tasks = Monitor<[URLSessionTask]>([])
        let delegate = CreationDelegate { task in tasks.withLock { $0.append(task) } }
        _ = await form(server.url(), delegate: delegate)
        #expect(tasks.value.count == 1)
    }

    @Test("In a background session, an async counterpart is an error")
    func background() async throws {
        let session = URLSession(configuration: .background(withIdentifier: UUID().uuidString))
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: "https://example.com/"))
        let errors = [
            await session.dataResult(from: url).error,
            await session.bytesResult(from: url, delegate: NoDecisions()).error,
        ]
        for error in errors { #expect((error?.underlyingError as? CocoaError)?.code == .featureUnsupported) }
    }
    #endif
}

private final class NoDecisions: NSObject, URLSessionTaskDelegate, Sendable {}

#if canImport(Darwin)
/// Calls a function with each new task, on the thread that makes it.
private final class CreationDelegate: NSObject, URLSessionTaskDelegate {
    private let whenCreated: @Sendable (URLSessionTask) -> Void

    init(_ whenCreated: @escaping @Sendable (URLSessionTask) -> Void) { self.whenCreated = whenCreated }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) { whenCreated(task) }
}

private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
#endif

#if os(Linux) && compiler(>=6.3)  // An exit test captures a value.

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// No wait takes a core, as it does with `URLSession` alone (`make bench-waiting`).
///
/// Each case has a process of its own, which does nothing but wait.
@Suite(.inTurn)
struct BusyWaitTests {
    @Test("Requests of every form wait without a core", arguments: Wait.allCases)
    func waiting(_ wait: Wait) async {
        await #expect(processExitsWith: .success) { [wait] in
            let scene = try WaitingScene(wait)
            try await scene.expectQuietWait(of: APIForm.some + APIForm.streamedUploads)
        }
    }

    @Test("Requests behind a proxy wait without a core")
    func proxy() async {
        await #expect(processExitsWith: .success) {
            var scene = try WaitingScene(.forHead)
            setenv("http_proxy", scene.url.absoluteString, 1)
            scene.url = try #require(URL(string: "http://host.invalid/"))
            try await scene.expectQuietWait(of: APIForm.some)
        }
    }

    @Test("A request waits for the server's part of the handshake without a core")
    func handshake() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(.silent)
            var request = URLRequest(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
            request.timeoutInterval = 3
            let workload = await workload { [request] in
                let error = await URLSession(configuration: .forTests).dataResult(for: request).error
                #expect(error?.urlError?.code == .timedOut)
            }
            #expect(workload < 0.1)
        }
    }

    @Test("Requests wait for a name server that does not answer without a core")
    func lookUp() async {
        await #expect(processExitsWith: .success) {
            let nameServer = try SilentNameServer()
            let url = try #require(SilentNameServer.url)
            let transfers = APIForm.some.map { form in
                Task {
                    let request = URLRequest(url: url, method: form.uploads ? .put : .get)
                    return await form.run(URLSession(configuration: .forTests), request)
                }
            }
            // From 8.20 on, libcurl asks for the addresses of each kind on a thread of its own.
            let threadsPerRequest = LibcurlVersion(8, 20).isLoaded ? 2 : 1
            try await nameServer.isAsked(times: transfers.count * threadsPerRequest)
            let workload = await workload { await Clock.seconds(3) }
            #expect(workload < 0.1)
            for transfer in transfers {
                transfer.cancel()
                #expect(await transfer.value.error?.isCancelled == true)
            }
            // The threads that look the name up are still there.
            exit(EXIT_SUCCESS)
        }
    }

    @Test(
        "Requests wait without a core until their session may have a connection more",
        arguments: [nil] + (TrustedServer.areRunning ? [TrustedServer.http1] : []))
    func queue(server: TrustedServer?) async {
        await #expect(processExitsWith: .success) { [server] in
            var scene = try WaitingScene(.forHead)
            let port = try #require(scene.url.port)
            if let server { scene.url = try server.url("/loopback/\(port)/") }
            let configuration = URLSessionConfiguration.forTests
            configuration.httpMaximumConnectionsPerHost = 1
            let session = URLSession(configuration: configuration)
            // Streams have connections of their own.
            try await scene.expectQuietWait(of: APIForm.some + APIForm.streamedUploads, in: session, atOnce: 2)
        }
    }

    @Test(
        "Requests over TLS wait without a core, also those of a session that share a connection",
        .enabled(if: TrustedServer.areRunning), arguments: TrustedServer.valid, Wait.overTLS)
    func encrypted(server: TrustedServer, _ wait: Wait) async {
        await #expect(processExitsWith: .success) { [server, wait] in
            var scene = try WaitingScene(wait)
            let port = try #require(scene.url.port)
            scene.url = try server.url("/loopback/\(port)/")
            // All on one connection, except with HTTP/1.1, which would let some wait for a connection.
            let session = server == .http2 ? URLSession(configuration: .forTests) : nil
            try await scene.expectQuietWait(of: APIForm.some + APIForm.streamedUploads, in: session)
        }
    }

    @Test(
        "Uploads wait without a core for a server that reads nothing for now, and go on",
        .enabled(if: TrustedServer.areRunning), arguments: TrustedServer.valid)
    func fullWindow(server: TrustedServer) async {
        await #expect(processExitsWith: .success) { [server] in
            let mayRead = Gate()
            let count = Monitor(0)
            let loopback = try LoopbackServer(readsBodies: false) { _, connection in
                count.withLock { $0 += 1 }
                mayRead.wait()
                try connection.respond(body: "\(connection.readBody().count)")
            }
            // More than all buffers on the way.
            let size = 32 << 20
            let request = URLRequest(url: try server.url("/loopback/\(loopback.port)/"), method: .put)
            let session = URLSession(configuration: .forTests)
            async let first: DataResult = session.uploadResult(for: request, from: Data(count: size))
            async let second: DataResult = session.uploadResult(for: request, from: Data(count: size))
            try await count.value { $0 == 2 }
            // On a busy machine, it may take some seconds until the server lets them send no more.
            var least = Double.infinity
            for _ in 1...3 where least >= 0.1 { least = min(least, await workload { await Clock.seconds(3) }) }
            #expect(least < 0.1)
            mayRead.open()
            for result in await [first, second] {
                #expect(try String(decoding: result.get(), as: UTF8.self) == "\(size)")
            }
        }
    }

    @Test("Uploads to a server that reads nothing for now go on later, and arrive whole")
    func slowUpload() async throws {
        let size = 8 << 20
        let mayRead = Gate()
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            mayRead.wait()
            let count = try connection.readBody().count
            try connection.respond(body: "\(count)")
        }
        let session = URLSession(configuration: .forTests)
        let folder = TemporaryFolder()
        let file = folder.file("file", Data(count: size))
        let request = URLRequest(url: server.url(), method: .put)
        var streaming = request
        streaming.httpBodyStream = InputStream(data: Data(count: size))
        async let byData = session.uploadResult(for: request, from: Data(count: size))
        async let byFile = session.uploadResult(for: request, fromFile: file)
        async let byStream = session.dataResult(for: streaming)
        // Until no socket takes more.
        await Clock.seconds(1)
        mayRead.open()
        for result in await [byData, byFile, byStream] {
            #expect(try String(decoding: result.get(), as: UTF8.self) == "\(size)")
        }
        withExtendedLifetime(folder) {}
    }
}

extension Wait: CustomTestStringConvertible {
    /// The wait, as a test shows it.
    public var testDescription: String { rawValue }
}

extension WaitingScene {
    /// Lets a request of each form wait for three seconds, in this session, or each in one of its own.
    ///
    /// - Parameters:
    ///   - forms: The forms.
    ///   - session: The session, or nil.
    ///   - connectionCount: How many requests wait for the server, if others wait for a connection.
    /// - Throws: An error if the test is over its limit.
    fileprivate func expectQuietWait(
        of forms: [APIForm], in session: URLSession? = nil, atOnce connectionCount: Int? = nil
    ) async throws {
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        try await withThrowingTaskGroup(of: DataResult.self) { group in
            for form in forms {
                group.addTask {
                    let request = URLRequest(url: url, method: form.uploads ? .put : .get)
                    return await form.run(session ?? delegate.session(), request, delegate: delegate)
                }
            }
            try await count.value { $0 == connectionCount ?? forms.count }
            let workload = await workload { await Clock.seconds(3) }
            #expect(workload < 0.1)
            mayEnd.open()
            for try await result in group { #expect(result.error == nil) }
        }
    }
}

private enum Clock {
    /// Waits for a request that times out.
    static func seconds(_ count: TimeInterval) async {
        guard let server = try? LoopbackServer(.silent) else { return }
        var request = URLRequest(url: server.url())
        request.timeoutInterval = count
        let error = await URLSession(configuration: .forTests).dataResult(for: request).error
        #expect(error?.urlError?.code == .timedOut)
    }
}

extension APIForm {
    /// Bodies that libcurl is given piece by piece.
    fileprivate static let streamedUploads = [
        APIForm("data in pieces", uploads: true) { session, request, _, delegate in
            await session.uploadResult(for: request, from: Data(count: 3 << 20), delegate: delegate)
        },
        APIForm("a file in pieces", uploads: true) { session, request, _, delegate in
            await TemporaryFolder().using(Data(count: 3 << 20)) { file in
                await session.uploadResult(for: request, fromFile: file, delegate: delegate)
            }
        },
        APIForm("a stream in chunks", uploads: true) { session, request, _, delegate in
            var request = request
            request.httpBodyStream = InputStream(data: Data(count: 3 << 20))
            return await session.dataResult(for: request, delegate: RenewingDelegate())
        },
    ]
}

/// Gives the body of a stream again, and the credential.
private final class RenewingDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { completionHandler(InputStream(data: Data(count: 3 << 20))) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.useCredential, ResponseChain.credential) }
}

#endif

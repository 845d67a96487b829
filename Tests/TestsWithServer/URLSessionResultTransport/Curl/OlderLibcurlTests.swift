#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// The libcurl of the process, used as an older one that can do less.
@Suite(.inTurn)
struct OlderLibcurlTests {
    private static func sender(_ change: (inout LibcurlDifferences) -> Void) throws -> LibcurlSender {
        let curl = try #require(Curl.loaded)
        var differences = curl.differences
        change(&differences)
        return LibcurlSender(curl: curl.used(with: differences))
    }

    @Test(
        "Where libcurl does not ask before it sends, what must not be sent twice is sent once",
        arguments: [.data, .download, .stream] as [LibcurlSender.Form], ["POST", "PATCH"])
    func post(_ form: LibcurlSender.Form, method: String) async throws {
        let server = try LoopbackServer { request, connection in
            if request.method == "GET" { return try connection.respond() }
            connection.close()
        }
        let sender = try Self.sender { $0.asksBeforeRequest = false }
        let session = URLSession(configuration: .forTests)
        #expect(try await sender.send(URLRequest(url: server.url()), by: form, in: session).status == 200)
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        #expect(try await sender.send(request, by: form, in: session).error == .networkConnectionLost)
        #expect(server.requests.map(\.method) == ["GET", method])
    }

    @Test(
        "Where libcurl reads on while it is paused, the server waits, and a slow reader gets the whole body",
        arguments: LoopbackServer.Transport.trusted,
        [nil, "Transfer-Encoding: identity", "Transfer-Encoding: chunked", "Content-Length: \(1 + length)"])
    func pause(_ transport: LoopbackServer.Transport, field: String?) async throws {
        let sent = Monitor(0)
        let isPaused = Gate()
        let clock = try SilentClock()
        let server = try LoopbackServer(over: transport) { request, connection in
            guard request.path == "/slow" else { return try connection.respond(body: "abc") }
            let isChunked = field?.hasSuffix("chunked") == true
            let line = field.map { "\($0)\r\n" } ?? ""
            try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(line)\r\n")
            if isChunked { try connection.send("\(String(1 + Self.length, radix: 16))\r\n") }
            try connection.send("x")
            // libcurl looks once more, when its timer for another address ends. It reads on for as long as something is there.
            isPaused.wait()
            clock.wait(seconds: 1)
            for _ in 0..<Self.length >> 20 {
                try connection.send(zeros: 1 << 20)
                sent.withLock { $0 += 1 << 20 }
            }
            if isChunked { try connection.send("\r\n0\r\n\r\n") }
            connection.close()
        }
        let session = URLSession(configuration: .forTests)
        let sender = try Self.sender { $0.readsWhilePaused = true }
        let paused = Monitor<URLSessionTask?>(nil)
        let slow = Task {
            try await sender.send(URLRequest(url: server.url("/slow")), by: .stream, in: session) { event, task in
                guard case .data = event else { return }
                let isFirst = paused.withLock { paused in
                    defer { paused = task }
                    return paused == nil
                }
                if isFirst { task.receivingPause(true) }
            }
        }
        let task = try #require(try await paused.value { $0 != nil })
        let loop = try EventLoop.running()
        func turn() async { await withCheckedContinuation { continuation in loop.perform { continuation.resume() } } }
        await turn()
        isPaused.open()
        try await sent.value { $0 > 0 }
        // libcurl would read 16 kB each time.
        for _ in 0..<2 * Self.length >> 14 { await turn() }
        for _ in 0..<20 {
            let end = try await sender.send(URLRequest(url: server.url("/other")), by: .data, in: session)
            #expect(end.body == "abc")
        }
        #expect(sent.value < Self.length)
        task.receivingPause(false)
        #expect(try await slow.value.body.utf8.count == 1 + Self.length)
    }

    /// More than the system and libcurl keep of a connection.
    private static let length = 64 << 20

    @Test("The timeout goes on when the reader has caught up", arguments: [true, false])
    func timeout(readsWhilePaused: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            for _ in 0..<100 { try connection.send(zeros: 1000) }
            connection.waitForClientToClose()
        }
        let sender = try Self.sender { $0.readsWhilePaused = readsWhilePaused }
        var request = URLRequest(url: server.url())
        // On a busy machine, the head comes late.
        request.timeoutInterval = 5
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask { [request] in
                    let end = try await sender.send(request, by: .stream) { _, task in
                        let pause = task.receivingPause
                        pause(true)
                        DispatchQueue.global().async { pause(false) }
                    }
                    #expect(end.error == .timedOut)
                    #expect(end.body.utf8.count == 100_000)
                }
            }
            try await group.waitForAll()
        }
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "Where libcurl waits for a look-up, a request whose host is never found ends, and holds up nobody",
        arguments: [true, false])
    func silence(isCancelled: Bool) async {
        await #expect(processExitsWith: .success) { [isCancelled] in
            let nameServer = try SilentNameServer()
            let sender = try Self.sender { $0.leavesLookUps = false }
            let session = URLSession(configuration: .forTests)
            var request = URLRequest(url: try #require(SilentNameServer.url))
            request.timeoutInterval = isCancelled ? 60 : 2
            let silent = Task { [request] in try await sender.send(request, by: .data, in: session) }
            try await nameServer.isAsked()
            if isCancelled { silent.cancel() }
            #expect(try await silent.value.error == (isCancelled ? .cancelled : .timedOut))
            let server = try LoopbackServer(.ok("abc"))
            for session in [session, URLSession(configuration: .forTests)] {
                let end = try await sender.send(URLRequest(url: server.url()), by: .data, in: session)
                #expect(end == LibcurlSender.End(status: 200, body: "abc"))
            }
            // The thread that looks the name up is still there.
            exit(EXIT_SUCCESS)
        }
    }
    #endif
}

#endif

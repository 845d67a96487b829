import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct APIClientSendingTests {
    private let session = URLSession(configuration: .forTests)
    private let folder = TemporaryFolder()

    @Test("A function of one's own takes no secret along to another origin, also with a delegate that follows")
    func ownFunction() async throws {
        let other = try LoopbackServer(.ok("done"))
        let server = try LoopbackServer(.redirect(to: other.url("/b").absoluteString))
        let client = APIClient(
            baseURL: server.url(), session: session, headers: ["X-Key": "secret", "Accept": "text/plain"],
            middleware: [TokenAuthentication("secret", for: server.url())])
        let delegates: [Follower?] = [nil, Follower()]
        for delegate in delegates {
            let result = await client.send(Endpoint(.get, "a")) { [session] request in
                await session.dataResult(for: request, decoder: .response(.string()), delegate: delegate)
            }
            #expect(try result.get().body == "done")
        }
        let handled = await client.send(Endpoint(.get, "a")) { [session] request in
            await withCheckedContinuation { continuation in
                session.dataTask(with: request, decoder: .response(.string())) { result in
                    continuation.resume(returning: result)
                }.resume()
            }
        }
        #expect(try handled.get().body == "done")
        #expect(server.requests.allSatisfy { $0.header("X-Key") == "secret" })
        #expect(other.requests.count == 3)
        #expect(other.requests.allSatisfy { $0.header("X-Key") == nil && $0.header("Authorization") == nil })
        #expect(other.requests.allSatisfy { $0.header("Accept") == "text/plain" })
    }

    private final class Follower: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            var request = request
            request.timeoutInterval = 30
            completionHandler(request)
        }
    }

    @Test("Without a client, a redirect takes other header fields along, as before")
    func withoutClient() async throws {
        let other = try LoopbackServer(.ok("done"))
        let server = try LoopbackServer(.redirect(to: other.url("/b").absoluteString))
        var request = URLRequest(url: server.url())
        request.setValue("1", forHTTPHeaderField: "X-Key")
        #expect(try await session.dataResult(for: request).get() == Data("done".utf8))
        #expect(other.requests.first?.header("X-Key") == "1")
    }

    @Test(
        "A maximum ends a body without an end at once, whatever was sent",
        arguments: ["none", "data", "file", "form"], [true, false])
    func maximum(_ sent: String, isChunked: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(
                200, headers: isChunked ? ["Transfer-Encoding": "chunked"] : [:], contentLength: nil)
            let piece = Data(count: 16 * 1024)
            for _ in 0..<64 {
                if isChunked { try connection.send("4000\r\n") }
                try connection.send(piece)
                if isChunked { try connection.send("\r\n") }
            }
            connection.waitForClientToClose()
        }
        let file = folder.file("sent", Data("sent".utf8))
        let body: RequestBody? =
            switch sent {
            case "data": .data(Data(count: 100_000), contentType: "a/b")
            case "file": .file(file, contentType: "a/b")
            case "form": .multipart([.file("a", file)])
            default: nil
            }
        let client = APIClient(baseURL: server.url(), session: session, maximumBodySize: 100_000)
        let endpoint = Endpoint(body == nil ? .get : .post, "", body: body)
        let error = await client.result(for: endpoint) { _ in }.error
        #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
        try await server.connectionsClosed()
    }

    #if os(Linux)
    /// In a process of its own, because the tests beside it take memory.
    @Test("A maximum keeps of a longer body no more than that in memory")
    func memoryOfMaximum() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _, connection in
                try connection.sendHead(200, contentLength: nil)
                let piece = Data(count: 1024 * 1024)
                for _ in 0..<128 { try connection.send(piece) }
                connection.close()
            }
            let client = APIClient(
                baseURL: server.url(), session: URLSession(configuration: .forTests), maximumBodySize: 1_000_000)
            let start = try peakMemory()
            let result = await client.result(for: Endpoint(.get, ""))
            #expect(result.error?.urlError?.code == .dataLengthExceedsMaximum)
            #expect(try peakMemory() - start < 32 * 1024)
        }
    }
    #endif

    @Test("A download that makes progress does not run out of attempts, and one that makes none does")
    func attempts() async throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let server = try LoopbackServer { request, connection in
            let start = request.header("Range").flatMap { Int($0.filter(\.isNumber)) } ?? 0
            let isStuck = request.path == "/stuck"
            let end = isStuck ? 10_000 : min(start + 10_000, bytes.count)
            let range = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
            try connection.sendHead(
                start == 0 ? 200 : 206, headers: ["ETag": "\"1\"", "Content-Range": range],
                contentLength: bytes.count - start)
            try connection.send(Data(bytes[start..<max(start, end)]))
            if end < bytes.count { connection.close() }
        }
        var retry = Retry(attempts: 2)
        retry.sleep = { _ in }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry])
        let file = folder.file("received")
        let result = await client.resumableDownloadResult(for: Endpoint(.get, "file"), to: file)
        #expect(try Data(contentsOf: result.get()) == bytes)
        #expect(server.requests.count == 10)
        let stuck = await client.resumableDownloadResult(for: Endpoint(.get, "stuck"), to: folder.file("stuck"))
        #expect(stuck.error?.urlError?.code == .networkConnectionLost)
        #expect(server.requests.count == 12)
    }

    @Test("A scheme in capitals is loaded", arguments: ["HTTP", "Http"])
    func capitals(_ scheme: String) async throws {
        let server = try LoopbackServer(.ok("done"))
        let client = APIClient(baseURL: server.url(), session: session)
        let text = scheme + server.url("/a").absoluteString.dropFirst(4)
        let url = try #require(URL(string: text))
        for path in [EndpointPath(stringLiteral: text), EndpointPath(url)] {
            #expect(try await client.result(for: Endpoint(.get, path, decoder: .string())).get() == "done")
        }
    }

    @Test("A base with user info sends it to its origin alone")
    func userInfo() async throws {
        let other = try LoopbackServer(.ok("done"))
        let server = try LoopbackServer(.redirect(to: other.url().absoluteString))
        var components = try #require(URLComponents(url: server.url(), resolvingAgainstBaseURL: true))
        components.user = "user"
        components.password = "secret"
        let url = try #require(components.url)
        let token = TokenAuthentication("secret", for: url)
        let client = APIClient(baseURL: url, session: session, middleware: [token])
        #expect(try await client.result(for: Endpoint(.get, "a", decoder: .string())).get() == "done")
        #expect(server.requests.first?.header("Authorization") == "Bearer secret")
        #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
    }
}

#if os(Linux)
/// The most memory that the process has had, in kB. `getrusage` would count that of the process before it, too.
private func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
}
#endif

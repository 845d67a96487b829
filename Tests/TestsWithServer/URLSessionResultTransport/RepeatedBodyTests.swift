import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The body of a request goes along, byte for byte, where a redirect or a challenge repeats the request.
@Suite(.inTurn)
struct RepeatedBodyTests {
    /// A way to give a request its body.
    struct BodyForm: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let send: @Sendable (URLSession, URLRequest, Data) async -> DataResult

        static let all = [
            BodyForm("httpBody, by handler") { session, request, body in
                await withCheckedContinuation { continuation in
                    session.dataTask(with: request.with(body)) { continuation.resume(returning: $0) }.resume()
                }
            },
            BodyForm("httpBody") { await $0.dataResult(for: $1.with($2)) },
            BodyForm("httpBody with progress") { await $0.dataResult(for: $1.with($2), progress: ignored) },
            BodyForm("httpBody of a stream") { await $0.bytesResult(for: $1.with($2)).collected() },
            BodyForm("httpBody of a download") { await $0.downloadResult(for: $1.with($2), decoder: .data) },
            BodyForm("httpBody of a download with progress") {
                await $0.downloadResult(for: $1.with($2), decoder: .data, progress: ignored)
            },
            BodyForm("upload, by handler") { session, request, body in
                await withCheckedContinuation { continuation in
                    session.uploadTask(with: request, from: body) { continuation.resume(returning: $0) }.resume()
                }
            },
            BodyForm("upload") { await $0.uploadResult(for: $1, from: $2) },
            BodyForm("upload with progress") { await $0.uploadResult(for: $1, from: $2, progress: ignored) },
            BodyForm("upload of a file") { session, request, body in
                await TemporaryFolder().using(body) { await session.uploadResult(for: request, fromFile: $0) }
            },
            BodyForm("upload of a file with progress") { session, request, body in
                await TemporaryFolder().using(body) {
                    await session.uploadResult(for: request, fromFile: $0, progress: ignored)
                }
            },
        ]

        private init(
            _ name: String, send: @escaping @Sendable (URLSession, URLRequest, Data) async -> DataResult
        ) {
            testDescription = name
            self.send = send
        }
    }

    /// Larger than what is sent at once.
    private static let body = Data.blocks(10, ofSize: 32_000)

    private let session = URLSession(configuration: .forTests)

    @Test(
        "A redirect repeats a request with its body, or makes a GET of it without",
        arguments: ["POST", "PUT", "PATCH", "DELETE"], BodyForm.all)
    func redirect(method: String, _ form: BodyForm) async throws {
        for transport in LoopbackServer.Transport.trusted {
            for status in [301, 302, 303, 307, 308] {
                let server = try LoopbackServer(.redirect(to: "/target", status: status, then: .echo), over: transport)
                let becomesGET = status == 303 || method == "POST" && status < 303
                let expected = becomesGET ? Data() : Self.body
                #expect(try await form.send(session, request(method, to: server.url()), Self.body).get() == expected)
                let requests = server.requests
                #expect(requests.map(\.method) == [method, becomesGET ? "GET" : method], "\(status)")
                #expect(requests.map(\.body) == [Self.body, expected], "\(status)")
                #expect(requests.last?.header("Content-Type") == (becomesGET ? nil : "text/plain"), "\(status)")
            }
        }
    }

    @Test("A challenge repeats a request with its body", arguments: ["POST", "PUT", "PATCH", "DELETE"], BodyForm.all)
    func challenge(method: String, _ form: BodyForm) async throws {
        for transport in LoopbackServer.Transport.trusted {
            let chain = ResponseChain(steps: [.challenge, .redirect])
            let server = try LoopbackServer(chain.response(ending: .echo), over: transport)
            let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
            defer { session.finishTasksAndInvalidate() }
            #expect(try await form.send(session, request(method, to: server.url("/0")), Self.body).get() == Self.body)
            #expect(server.requests.map(\.body) == [Self.body, Self.body, Self.body])
        }
    }

    #if os(Linux)
    @Test(
        "A challenge of Digest repeats a request with its body, once", arguments: ["POST", "PUT", "PATCH", "DELETE"],
        BodyForm.all)
    func digest(method: String, _ form: BodyForm) async throws {
        for transport in LoopbackServer.Transport.trusted {
            let server = try LoopbackServer(DigestServer().response(ending: .echo), over: transport)
            let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
            defer { session.finishTasksAndInvalidate() }
            #expect(try await form.send(session, request(method, to: server.url()), Self.body).get() == Self.body)
            #expect(server.requests.map(\.body) == [Self.body, Data(), Self.body])
        }
    }
    #endif

    /// As the fetch standard and Apple's URLSession have it.
    @Test("A body goes along to another origin, and credentials do not", arguments: BodyForm.all)
    func otherOrigin(_ form: BodyForm) async throws {
        let target = try LoopbackServer(.echo)
        let source = try LoopbackServer(.redirect(to: target.origin, status: 308))
        var request = request("PUT", to: source.url())
        request.setValue("secret", forHTTPHeaderField: "Authorization")
        #expect(try await form.send(session, request, Self.body).get() == Self.body)
        #expect(target.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test("A body that became a GET is not sent after the next redirect", arguments: BodyForm.all)
    func redirectAfterGET(_ form: BodyForm) async throws {
        let server = try LoopbackServer([
            "/": .redirect(to: "/again", status: 303), "/again": .redirect(to: "/there", status: 307), "/there": .echo,
        ])
        #expect(try await form.send(session, request("POST", to: server.url()), Self.body).get() == Data())
        #expect(server.requests.map(\.method) == ["POST", "GET", "GET"])
    }

    @Test("What a pipe gave is sent again", arguments: [nil, ignored])
    func pipe(progress: ProgressHandler?) async throws {
        let folder = TemporaryFolder()
        let pipe = folder.pipe(giving: Data("given".utf8))
        let server = try LoopbackServer(.redirect(to: "/target", status: 307, then: .echo))
        let result = await session.uploadResult(
            for: request("PUT", to: server.url()), fromFile: pipe, progress: progress)
        #expect(try result.get() == Data("given".utf8))
        #expect(server.requests.map(\.text) == ["given", "given"])
    }

    @Test("The progress of a body that is sent again goes on where it was, and never shrinks")
    func progress() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", status: 307, then: .ok()))
        let body = Data(count: 4_000_000)
        let reports = RecordedProgress()
        let result = await session.uploadResult(
            for: request("PUT", to: server.url()), from: body, progress: reports.handler)
        _ = try result.get()
        let counts = reports.all.map(\.completedBytes)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "reports grow: \(counts)")
        #expect(reports.all.last == TransferProgress(completedBytes: 4_000_000, totalBytes: 4_000_000))
        #expect(reports.all.count <= 102)
        #expect(server.requests.map(\.body.count) == [4_000_000, 4_000_000])
    }

    private func request(_ method: String, to url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        return request
    }
}

extension URLRequest {
    fileprivate func with(_ body: Data) -> URLRequest {
        var request = self
        request.httpBody = body
        return request
    }
}

#if os(Linux)

import Foundation
import Testing
import URLSessionResult

/// Uploads of pipes that are filled late.
@Suite(.inTurn)
struct UploadedPipeTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    /// Swift runs as many tasks at once as there are cores.
    @Test("However many pipes are not filled yet, all Swift tasks run, and then all pipes arrive", arguments: [1, 16])
    func unfilled(count: Int) async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let pipes = (0..<count).map { folder.pipe("\($0)") }
        let begun = Monitor(0)
        try await withThrowingTaskGroup { group in
            for pipe in pipes {
                group.addTask { [session] in
                    begun.withLock { $0 += 1 }
                    let result = await session.uploadResult(for: request, fromFile: pipe)
                    #expect((try? result.get()) == Data(pipe.lastPathComponent.utf8))
                }
            }
            try await begun.value { $0 == count }
            #expect(server.requests.isEmpty)
            for pipe in pipes { pipe.give(Data(pipe.lastPathComponent.utf8)) }
            try await group.waitForAll()
        }
        #expect(server.requests.count == count)
    }

    @Test("A pipe that is not filled is cancelled at once, and never sent", arguments: [true, false])
    func cancelled(isResumed: Bool) async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let pipe = folder.pipe()
        let error = await withCheckedContinuation { continuation in
            let task = session.uploadTask(with: request, fromFile: pipe) { (result: DataResult) in
                continuation.resume(returning: result.error)
            }
            if isResumed { task.resume() }
            task.cancel()
        }
        #expect(error?.isCancelled == true)
        if isResumed { pipe.give(Data("late".utf8)) }
        _ = try await session.dataResult(from: server.url("/next")).get()
        #expect(server.requests.map(\.path) == ["/next"])
    }

    @Test("A pipe is read once, and sent again after a redirect and after a challenge", arguments: [307, 401])
    func sentAgain(status: Int) async throws {
        let pipe = folder.pipe(giving: Data("given".utf8))
        let server = try LoopbackServer { request, connection in
            if request.path == "/target" || request.header("Authorization") != nil {
                return try connection.respond(with: .echo, to: request)
            }
            // For a second reader, if there is one.
            pipe.give(Data("again".utf8))
            let response: LoopbackServer.Response =
                status == 307 ? .redirect(to: "/target", status: 307) : .challenge(#"Basic realm="x""#)
            try connection.respond(with: response, to: request)
        }
        let credential = URLCredential(user: "joni", password: "blue", persistence: .none)
        let session = SessionDelegate(challenge: (.useCredential, credential)).session()
        let result = await session.uploadResult(for: URLRequest(url: server.url(), method: .put), fromFile: pipe)
        try #require(try result.get() == Data("given".utf8))
        #expect(server.requests.map(\.text) == ["given", "given"])
        #expect(try FileHandle(forReadingFrom: pipe).readToEnd() == Data("again".utf8))
    }
}

#endif

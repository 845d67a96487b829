#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// `URLSession.shared` has all classes that are registered when it is made: those of FoundationNetworking, and the library's own.
@Suite(.inTurn)
struct SharedSessionTests {
    @Test("The shared session, made after another one has sent a request, lists its tasks, and ends each")
    func madeLate() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(["/": .ok("abc"), "/silent": .silent])
            _ = try await URLSession(configuration: .forTests).dataResult(from: server.url()).get()
            let session = URLSession.shared
            let results = Monitor<[DataResult]>([])
            let task = session.dataTask(with: server.url("/silent")) { result in
                results.withLock { $0.append(result) }
            }
            task.resume()
            try await server.requests(atLeast: 2)
            let listed = await withCheckedContinuation { continuation in
                session.getAllTasks { continuation.resume(returning: $0.map(\.taskIdentifier)) }
            }
            try #require(listed == [task.taskIdentifier])
            task.cancel()
            try await results.value { $0.count == 1 }
            let malformed = try #require(URL(string: "data:;base64,####"))
            #expect(await session.dataResult(from: malformed).error?.urlError?.code == .badURL)
            let sound = try #require(URL(string: "data:,abc"))
            #expect(try await session.dataResult(from: sound).get() == Data("abc".utf8))
        }
    }
}

#endif

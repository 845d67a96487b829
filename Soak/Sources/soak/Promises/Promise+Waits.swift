#if os(Linux)

import Foundation
import URLSessionResult

extension Promise {
    static let timeouts = RequestKind.allCases.map { kind in
        Promise("a timeout of a fifth of a second is one: \(kind.rawValue)") {
            let server = try LoopbackServer { _, connection in connection.waitForClientToClose() }
            let start = Date()
            let result = await kind.send(
                to: server.url(), timeout: 0.2, in: URLSession(configuration: .forTests))
            try require(result.error?.urlError?.code == .timedOut, otherwise: "the result is \(result)")
            let seconds = -start.timeIntervalSinceNow
            try require((0.2..<5).contains(seconds), otherwise: "it takes \(seconds) s")
        }
    }

    /// The share of a core that a wait may take.
    private static let mostWorkload = 0.1

    /// All on new connections, because a connection that is used again never took a core.
    static let waits = RequestKind.allCases.map { kind in
        Promise("waiting takes no processor time: \(kind.rawValue)") {
            let scenes = try Wait.withoutCredential.map(WaitingScene.init)
            try await withThrowingTaskGroup(of: Data.self) { group in
                for scene in scenes {
                    group.addTask {
                        try await kind.send(to: scene.url, in: URLSession(configuration: .forTests)).get()
                    }
                }
                for scene in scenes { try await scene.count.value { $0 == 1 } }
                let workload = try await workload { try await Task.sleep(for: .seconds(3)) }
                for scene in scenes { scene.mayEnd.open() }
                for try await body in group {
                    try require(body == Data("abc".utf8), otherwise: "the body has \(body.count) bytes")
                }
                let percent = Int(workload * 100)
                try require(workload < mostWorkload, otherwise: "it took \(percent) % of a core")
            }
        }
    }

    static let nameServers = RequestKind.allCases.flatMap { kind in
        [true, false].map { isCancelled in
            let end = isCancelled ? "cancelled" : "timed out"
            return Promise("a silent name server holds nobody up: \(kind.rawValue), \(end)") {
                try await checkSilentNameServer(kind, isCancelled: isCancelled)
            }
        }
    }

    private static func checkSilentNameServer(_ kind: RequestKind, isCancelled: Bool) async throws {
        let nameServer = try SilentNameServer()
        guard let silent = SilentNameServer.url else { throw URLError(.badURL) }
        let session = URLSession(configuration: .forTests)
        let transfer = Task { await kind.send(to: silent, timeout: isCancelled ? 60 : 2, in: session) }
        try await nameServer.isAsked()
        if isCancelled { transfer.cancel() }
        let error = await transfer.value.error
        let isMeant = isCancelled ? error?.isCancelled == true : error?.urlError?.code == .timedOut
        try require(isMeant, otherwise: "the result is \(String(describing: error))")
        let server = try LoopbackServer(.ok("abc"))
        for session in [session, URLSession(configuration: .forTests)] {
            _ = try await kind.send(to: server.url(), in: session).get()
        }
    }
}

#endif

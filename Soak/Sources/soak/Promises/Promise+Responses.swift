#if os(Linux)

import Foundation
import URLSessionResult

extension Promise {
    static let faults = Fault.survivable.map { fault in
        Promise("fault: \(fault.name)") {
            let outcomes = try await fault.outcomesOfHandler()
            try require(outcomes.count == 1, otherwise: "the handler is called \(outcomes.count) times")
            try require(outcomes.allSatisfy(fault.permits), otherwise: "the outcome is \(outcomes[0])")
        }
    }

    /// Every kind of request gets the responses with trailers that the table of faults has for handlers.
    static let trailers = RequestKind.allCases.map { kind in
        Promise("trailers are no errors: \(kind.rawValue)") {
            for fault in Fault.chunks where fault.name.contains("trailer") {
                let server = try fault.server()
                let result = await kind.send(to: server.url(), in: URLSession(configuration: .forTests))
                let outcome = Fault.Outcome(result)
                try require(fault.permits(outcome), otherwise: "the outcome of \(fault.name) is \(outcome)")
            }
        }
    }

    static let unaskedResponses = RequestKind.allCases.map { kind in
        Promise("what no session asked for is given to none: \(kind.rawValue)") {
            // Some take the connection of the first session by chance.
            for _ in 0..<5 {
                let response = try UnaskedResponse()
                for path in ["/first", "/second"] {
                    let body = try await kind.send(
                        to: response.url(path), in: URLSession(configuration: .forTests)
                    ).get()
                    try require(
                        body == Data(path.utf8), otherwise: "\(path) gets \(String(decoding: body, as: UTF8.self))")
                    try await response.send()
                }
            }
        }
    }

    static let digests = RequestKind.allCases.flatMap { kind in
        [
            Promise("Digest is answered: \(kind.rawValue)") {
                let server = try LoopbackServer(DigestServer().response(ending: .ok("abc")))
                let result = await kind.send(to: server.url(), in: session(knowingPasswordOf: server))
                try require((try? result.get()) == Data("abc".utf8), otherwise: "the result is \(result)")
            },
            Promise("a request with Digest costs the next one no body: \(kind.rawValue)") {
                let digest = DigestServer()
                let challenge = digest.refusal()
                let isChallenged = Monitor(false)
                let server = try LoopbackServer { request, connection in
                    guard request.path == "/challenged" else {
                        return try connection.respond(body: "\(request.body.count)")
                    }
                    let isFirst = isChallenged.withLock { isChallenged in
                        defer { isChallenged = true }
                        return !isChallenged
                    }
                    // The second request asks for a challenge, without a body.
                    try (isFirst ? challenge : .status(403)).play(request, connection)
                }
                let session = session(knowingPasswordOf: server)
                let error = await kind.send(to: server.url("/challenged"), in: session).error
                try require(error?.statusCode == 403, otherwise: "the first one ends with \(String(describing: error))")
                let result = await kind.send(to: server.url(), in: session)
                try require(
                    (try? result.get()) == Data("\(kind.lengthOfBody)".utf8), otherwise: "the result is \(result)")
            },
        ]
    }

    private static func session(knowingPasswordOf server: LoopbackServer) -> URLSession {
        let configuration = URLSessionConfiguration.forTests
        let storage = URLCredentialStorage()
        let space = URLProtectionSpace(
            host: "127.0.0.1", port: Int(server.port), protocol: "http", realm: "x, y",
            authenticationMethod: NSURLAuthenticationMethodHTTPDigest)
        let credential = URLCredential(user: "user", password: "pass", persistence: .forSession)
        storage.setDefaultCredential(credential, for: space)
        configuration.urlCredentialStorage = storage
        return URLSession(configuration: configuration)
    }

    static let streams = [
        Promise("streams are whole, and hold up no other session") {
            let report = try await StreamCrowd(count: 16).run()
            try require(report.errors.isEmpty, otherwise: report.errors.joined(separator: ", "))
            try require(report.wholeStreams == 16, otherwise: "only \(report.wholeStreams) of 16 are whole")
        },
        Promise("streams may be read or left in all ways") {
            let report = try await LeftStreams(count: 40, atOnce: 10).run()
            try require(report.errors.isEmpty, otherwise: report.errors.joined(separator: ", "))
            let count = report.endings.values.reduce(0, +)
            try require(count == 40, otherwise: "only \(count) of 40 have ended")
        },
    ]
}

#endif

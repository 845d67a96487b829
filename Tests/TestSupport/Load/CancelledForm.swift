import Foundation
import URLSessionResult

/// One way to send a request and to cancel it.
struct CancelledForm: Sendable {
    typealias Cancel = @Sendable () -> Void

    var name: String
    var workers = 1
    var response = LoopbackServer.Response.ok("abc")
    /// Whether a transfer that is not cancelled may end with this error.
    var isMeant: @Sendable (NetworkError) -> Bool = { _ in false }
    var cancelsRedirects = false
    var answersChallenges = true
    /// The path of a URL that a mock answers, in place of the server.
    var mockedPath: String?
    /// Starts a transfer.
    let start: @Sendable (URLSession, URL, @escaping @Sendable (DataResult) -> Void) -> Cancel

    static let all = overHTTP + mocked

    private static let overHTTP = [
        CancelledForm(name: "data", start: data),
        CancelledForm(name: "cached data", response: cacheable, start: data),
        CancelledForm(name: "ephemeral data") { _, url, handler in
            data(ephemeralSession, url, handler)
        },
        CancelledForm(name: "data from three threads", workers: 3, start: data),
        CancelledForm(name: "upload") { session, url, handler in
            let request = URLRequest(url: url, method: .put)
            return resumed(session.uploadTask(with: request, from: body, resultHandler: handler))
        },
        CancelledForm(name: "upload of a file") { session, url, handler in
            let request = URLRequest(url: url, method: .put)
            return resumed(session.uploadTask(with: request, fromFile: file, resultHandler: handler))
        },
        CancelledForm(name: "download") { session, url, handler in
            resumed(session.downloadTask(with: url, decoder: .data, resultHandler: handler))
        },
        CancelledForm(name: "await", start: awaited),
        CancelledForm(name: "cached await", response: cacheable, start: awaited),
        CancelledForm(name: "challenged await", response: challenged, start: awaited),
        CancelledForm(name: "challenged data", response: challenged, start: data),
        CancelledForm(name: "await with progress") { session, url, handler in
            detached(handler) { await session.dataResult(from: url) { _ in } }
        },
        CancelledForm(name: "upload with progress") { session, url, handler in
            let request = URLRequest(url: url, method: .put)
            return detached(handler) { await session.uploadResult(for: request, from: body) { _ in } }
        },
        CancelledForm(name: "download with progress") { session, url, handler in
            detached(handler) { await session.downloadResult(from: url, decoder: .data) { _ in } }
        },
        CancelledForm(name: "stream") { session, url, handler in
            detached(handler) { await session.bytesResult(from: url).collected() }
        },
        CancelledForm(
            name: "data that fails", response: .closed, isMeant: { $0.urlError?.code == .networkConnectionLost },
            start: data),
        CancelledForm(
            name: "refused data", response: .challenge(#"Basic realm="x""#), isMeant: { $0.statusCode == 401 },
            answersChallenges: false, start: data),
        CancelledForm(
            name: "refused download with progress", response: .challenge(#"Basic realm="x""#),
            isMeant: { $0.statusCode == 401 }, answersChallenges: false
        ) { session, url, handler in
            detached(handler) { await session.downloadResult(from: url, decoder: .data) { _ in } }
        },
        CancelledForm(name: "redirected data", response: .redirect(to: "/target", then: .ok("abc")), start: data),
        CancelledForm(
            name: "redirected await with progress", response: .redirect(to: "/target", then: .ok("abc"))
        ) { session, url, handler in
            detached(handler) { await session.dataResult(from: url) { _ in } }
        },
        CancelledForm(
            name: "redirected stream", response: .redirect(to: "/target", then: .ok("abc"))
        ) { session, url, handler in
            detached(handler) { await session.bytesResult(from: url).collected() }
        },
        CancelledForm(name: "challenged and redirected upload with progress", response: chain) {
            session, url, handler in
            let request = URLRequest(url: url, method: .put)
            return detached(handler) { await session.uploadResult(for: request, from: body) { _ in } }
        },
        CancelledForm(name: "challenged and redirected upload of a file", response: chain) { session, url, handler in
            let request = URLRequest(url: url, method: .put)
            return detached(handler) { await session.uploadResult(for: request, fromFile: file) { _ in } }
        },
        CancelledForm(name: "challenged and redirected stream", response: chain) { session, url, handler in
            detached(handler) { await session.bytesResult(from: url).collected() }
        },
        CancelledForm(
            name: "data, inside a delegate", response: .redirect(to: "/target", then: .ok("abc")),
            cancelsRedirects: true, start: data),
        CancelledForm(name: "data, inside the handler of another task") { session, url, handler in
            let task = session.dataTask(with: url, resultHandler: handler)
            session.dataTask(with: url) { (_: DataResult) in task.cancel() }.resume()
            return resumed(task)
        },
        CancelledForm(name: "data, by invalidating the session") { session, url, handler in
            let ownSession = URLSession(configuration: session.configuration)
            for _ in 0..<3 { ownSession.dataTask(with: url) { (_: DataResult) in }.resume() }
            ownSession.dataTask(with: url, resultHandler: handler).resume()
            return { ownSession.invalidateAndCancel() }
        },
    ]

    /// What a mock answers, from other threads.
    private static let mocked = [("queue", "abc"), ("pieces", "abc"), ("task", "redirect")].flatMap { kind, answer in
        let names = [
            "data", "upload", "download", "stream", "await", "await with progress", "upload with progress",
            "download with progress",
        ]
        return overHTTP.filter { names.contains($0.name) }.map { form in
            var form = form
            form.name += ", mock, \(kind), \(answer)"
            form.mockedPath = "\(kind)/\(answer)"
            return form
        }
    }

    private static let body = Data(count: 10_000)

    /// Where the file is that the uploads of this process send.
    private static let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// Makes the file for as long as a function runs. It takes no room on the disk, and is long enough to be sent piece by piece.
    static func withFile<Value>(_ run: () async throws -> Value) async throws -> Value {
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 20)
        return try await run()
    }

    private static let cacheable = LoopbackServer.Response.ok("abc", headers: ["Cache-Control": "max-age=3600"])
    private static let challenged = LoopbackServer.Response { request, connection in
        let isAnswered = request.header("Authorization") != nil
        try connection.respond(with: isAnswered ? .ok("abc") : .challenge(#"Basic realm="x""#), to: request)
    }
    private static let chain = ResponseChain(steps: [.challenge, .redirect]).response(ending: .ok("abc"))
    private static let ephemeralSession = URLSession(configuration: .ephemeral)

    private static let data: @Sendable (URLSession, URL, @escaping @Sendable (DataResult) -> Void) -> Cancel = {
        session, url, handler in resumed(session.dataTask(with: url, resultHandler: handler))
    }

    private static let awaited: @Sendable (URLSession, URL, @escaping @Sendable (DataResult) -> Void) -> Cancel = {
        session, url, handler in detached(handler) { await session.dataResult(from: url) }
    }

    private static func resumed(_ task: URLSessionTask) -> Cancel {
        task.resume()
        return { task.cancel() }
    }

    private static func detached(
        _ handler: @escaping @Sendable (DataResult) -> Void, _ run: @escaping @Sendable () async -> DataResult
    ) -> Cancel {
        let task = Task.detached { handler(await run()) }
        return { task.cancel() }
    }
}

extension CancelledForm {
    static func named(_ name: String) -> CancelledForm? {
        all.first { $0.name == name }
    }
}

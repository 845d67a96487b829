import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One way to send a request with a session of its own.
struct SessionForm: Sendable {
    let name: String
    var path = "/"
    var isLibrary = true

    /// Sends a request, and returns whether the outcome is the one that the server meant.
    let use: @Sendable (URLSession, URL) async -> Bool

    static let all = forms + [mixed, urlSessionAlone]

    private static let forms = [
        SessionForm(name: "handler") { session, url in
            await withCheckedContinuation { continuation in
                let handler: @Sendable (DataResult) -> Void = { continuation.resume(returning: $0.error == nil) }
                session.dataTask(with: url, resultHandler: handler).resume()
            }
        },
        SessionForm(name: "await") { session, url in await session.dataResult(from: url).error == nil },
        SessionForm(name: "upload") { session, url in
            await session.uploadResult(for: URLRequest(url: url, method: .put), from: Data("sent".utf8)).error == nil
        },
        SessionForm(name: "download") { session, url in
            await session.downloadResult(from: url, decoder: .data).error == nil
        },
        SessionForm(name: "progress") { session, url in await session.dataResult(from: url) { _ in }.error == nil },
        SessionForm(name: "stream") { session, url in await session.bytesResult(from: url).collected().error == nil },
        SessionForm(name: "redirect", path: "/a/b/c?to=/there") { session, url in
            await session.dataResult(from: url).error == nil
        },
        SessionForm(name: "401", path: "/challenge") { session, url in
            await session.dataResult(from: url).error?.statusCode == 401
        },
    ]

    /// Another form each time.
    private static let mixed = SessionForm(name: "mixed") { session, url in
        let form = forms[mixedUses.next() % forms.count]
        guard let url = URL(string: form.path, relativeTo: url) else { return false }
        return await form.use(session, url)
    }

    private static let mixedUses = Counter()

    /// For comparison: no request of the library.
    private static let urlSessionAlone = SessionForm(name: "URLSession alone", isLibrary: false) { session, url in
        (try? await session.data(from: url)) != nil
    }
}

private final class Counter: Sendable {
    private let count = Monitor(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}

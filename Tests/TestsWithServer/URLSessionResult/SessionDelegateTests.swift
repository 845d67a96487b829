import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What the session's own delegate decides, on every platform.
@Suite(.inTurn)
struct SessionDelegateTests {
    // MARK: Challenges

    @Test("The session's delegate answers challenges", arguments: APIForm.all)
    func delegateAnswersChallenge(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            let isKnown = request.header("Authorization") == "Basic dXNlcjpwYXNz"
            try connection.respond(isKnown ? 200 : 401, headers: ["WWW-Authenticate": #"Basic realm="x""#])
        }
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        let delegate = SessionDelegate(challenge: (.useCredential, credential))
        _ = try await form(server.url(), in: delegate.session()).get()
        #expect(delegate.challenges.value == 1)
    }

    @Test("What the session's delegate leaves to the default is a server error", arguments: APIForm.all)
    func delegateDefers(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let delegate = SessionDelegate(challenge: (.performDefaultHandling, nil))
        #expect(await form(server.url(), in: delegate.session()).error?.statusCode == 401)
        #expect(delegate.challenges.value == 1)
    }

    @Test("A challenge that the session's delegate cancels is a cancellation", arguments: APIForm.all)
    func delegateCancels(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let delegate = SessionDelegate(challenge: (.cancelAuthenticationChallenge, nil))
        #expect(await form(server.url(), in: delegate.session()).error?.isCancelled == true)
    }

    @Test("A challenge that the session's delegate rejects is a server error", arguments: APIForm.all)
    func delegateRejects(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            let isKnown = request.header("Authorization") != nil
            try connection.respond(isKnown ? 200 : 401, headers: ["WWW-Authenticate": #"Basic realm="x""#])
        }
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        let delegate = SessionDelegate(challenge: (.rejectProtectionSpace, credential))
        #expect(await form(server.url(), in: delegate.session()).error?.statusCode == 401)
        #expect(server.requests.count == 1)
    }

    // MARK: Redirects

    @Test("The session's delegate decides on redirects", arguments: APIForm.all)
    func delegateRefusesRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/there"))
        let delegate = SessionDelegate(redirect: { _ in nil })
        let response = try #require(await form(server.url(), in: delegate.session()).error?.response)
        #expect(response.statusCode == 302)
        #expect(response.header("Location") == "/there")
        #expect(delegate.redirects.value == 1)
    }

    @Test("The session's delegate may add what another origin is meant to have", arguments: APIForm.all)
    func delegateRedirects(_ form: APIForm) async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: target.origin))
        let delegate = SessionDelegate { request in
            var request = request
            #if canImport(FoundationNetworking)
            // Elsewhere, Apple's URLSession decides.
            #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
            #endif
            request.setValue("for target", forHTTPHeaderField: "Authorization")
            return request
        }
        _ = try await form(source.url(), headers: ["Authorization": "for source"], in: delegate.session()).get()
        #expect(target.requests.map { $0.header("Authorization") } == ["for target"])
    }

    @Test("A task cancelled while its redirect is decided calls its handler once")
    func cancelledRedirect() async throws {
        let server = try LoopbackServer(.redirect(to: "/there"))
        let task = Monitor<URLSessionTask?>(nil)
        let delegate = SessionDelegate(redirect: { request in
            task.value?.cancel()
            return request
        })
        let session = delegate.session()
        let result = await withCheckedContinuation { continuation in
            let dataTask = session.dataTask(with: server.url()) { continuation.resume(returning: $0 as DataResult) }
            task.withLock { $0 = dataTask }
            dataTask.resume()
        }
        #expect(result.error?.isCancelled == true)
        #expect(server.requests.count == 1)
        task.withLock { $0 = nil }
    }
}

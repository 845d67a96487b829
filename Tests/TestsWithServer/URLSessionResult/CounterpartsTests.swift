import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What holds for every way to send a request.
@Suite(.inTurn)
struct CounterpartsTests {
    @Test("An accepted status code gives the body", arguments: APIForm.all + APIForm.byURL)
    func success(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("body"))
        let body = try await form(server.url()).get()
        #expect(body == Data((form.givesBody ? "body" : "").utf8))
        #expect(server.requests.map(\.body) == [form.uploads ? APIForm.uploadedBody : Data()])
    }

    @Test(
        "Any other status code is a server error that holds the body and the headers",
        arguments: APIForm.all + APIForm.byURL)
    func serverError(_ form: APIForm) async throws {
        let server = try LoopbackServer(.status(403, "why", headers: ["X-Request-Id": "7"]))
        let response = try #require(await form(server.url()).error?.response)
        #expect(response.statusCode == 403)
        #expect(response.body == Data("why".utf8))
        #expect(response.header("x-request-id") == "7")
    }

    @Test("The caller says which status codes are accepted", arguments: APIForm.all + APIForm.byURL)
    func acceptedCodes(_ form: APIForm) async throws {
        let server = try LoopbackServer(["/404": .status(404, "body"), "/200": .ok("body")])
        let body = try await form(server.url("/404"), accepting: 400..<500).get()
        #expect(body == Data((form.givesBody ? "body" : "").utf8))
        #expect(await form(server.url("/200"), accepting: 400..<500).error?.statusCode == 200)
    }

    @Test("A connection that is cut is a transport error", arguments: APIForm.all)
    func transportError(_ form: APIForm) async throws {
        let server = try LoopbackServer(.truncated("bo", of: 4))
        let error = try #require(await form(server.url()).error)
        #expect(error.urlError != nil)
        #expect(!error.isCancelled)
    }

    @Test("A server that is not there is a transport error", arguments: APIForm.all)
    func unreachable(_ form: APIForm) async throws {
        // Nothing listens on a port that is reserved for tcpmux.
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        #expect(await form(url).error?.urlError?.code == .cannotConnectToHost)
    }

    @Test("Cancelling while the server is silent gives URLError.cancelled", arguments: APIForm.all)
    func cancellation(_ form: APIForm) async throws {
        let server = try LoopbackServer(.silent)
        let running = Task { await form(server.url()) }
        try await server.requests(atLeast: 1)
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
    }

    @Test("A Swift task that is cancelled ends also where nothing handles the URL", arguments: APIForm.asynchronous)
    func cancellationOfUnsupportedURL(_ form: APIForm) async throws {
        let url = try #require(URL(string: "nothing:handled"))
        let gate = Gate()
        let running = Task {
            try? await gate.opened()
            return await form(url)
        }
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
        #expect(await form(url).error?.urlError?.code == .unsupportedURL)
    }

    @Test("An empty body is a success, whatever its status code", arguments: APIForm.all, [200, 204, 205])
    func emptyBody(_ form: APIForm, status: Int) async throws {
        let server = try LoopbackServer(.status(status))
        #expect(try await form(server.url()).get() == Data())
    }

    @Test("A body of 3 MB arrives whole", arguments: APIForm.all.filter(\.givesBody))
    func largeBody(_ form: APIForm) async throws {
        let server = try LoopbackServer(.zeros(3_000_000))
        #expect(try await form(server.url()).get() == Data(count: 3_000_000))
    }

    @Test("An upload is not resumed from data that means nothing", arguments: APIForm.resumedUploads)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    func resumeDataOfUpload(_ form: APIForm) async throws {
        try await expectTransportError(form)
    }

    @Test("A download is not resumed from data that means nothing", arguments: APIForm.resumedDownloads)
    func resumeDataOfDownload(_ form: APIForm) async throws {
        try await expectTransportError(form)
    }

    private func expectTransportError(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("body"))
        let error = try #require(await form(server.url()).error)
        guard case .transportError = error else {
            Issue.record(error)
            return
        }
        #expect(server.requests.isEmpty)
    }

    #if canImport(FoundationNetworking)
    /// Apple's URLSession need not make a task of resume data that is not its own.
    @Test(
        "On Linux, resume data of others is an unsupported URL",
        arguments: APIForm.resumedDownloads + APIForm.resumedUploads)
    func resuming(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("body"))
        #expect(await form(server.url()).error?.urlError?.code == .unsupportedURL)
        #expect(server.requests.isEmpty)
    }
    #endif
}

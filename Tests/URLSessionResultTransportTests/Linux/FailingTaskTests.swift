#if os(Linux)

import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

/// Tasks that fail without a request.
@Suite(.inTurn)
struct FailingTaskTests {
    @Test("A request without a URL is an error, and no mock is asked about it", arguments: APIForm.all, [false, true])
    func withoutURL(_ form: APIForm, isMocked: Bool) async {
        let stub = SessionStub(.text("mocked"))
        let session = isMocked ? stub.session : URLSession(configuration: .forTests)
        var request = URLRequest(url: URL(fileURLWithPath: "/"), method: form.uploads ? .put : .get)
        request.url = nil
        #expect(await form.run(session, request).error?.urlError?.code == .unsupportedURL)
        #expect(stub.requests.isEmpty)
    }

    @Test("A redirect to a request without a URL is an error", arguments: APIForm.some)
    func redirectWithoutURL(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target"))
        let session = SessionDelegate(redirect: { proposal in
            var request = proposal
            request.url = nil
            return request
        }).session()
        #expect(await form(server.url(), in: session).error?.urlError?.code == .unsupportedURL)
        #expect(server.requests.count == 1)
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import TestSupport

/// A host whose name server does not answer: getaddrinfo(3) waits for seconds, and no call ends it.
@Suite(.inTurn)
struct SilentNameServerTests {
    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "A request whose host is never found ends at its cancellation, or its timeout, and holds up nobody",
        arguments: APIForm.some.map(\.testDescription), [true, false])
    func silence(name: String, isCancelled: Bool) async {
        await #expect(processExitsWith: .success) { [name, isCancelled] in
            let nameServer = try SilentNameServer()
            let form = try #require(APIForm.named(name))
            let session = URLSession(configuration: .forTests)
            let url = try #require(SilentNameServer.url)
            var request = URLRequest(url: url, method: form.uploads ? .put : .get)
            request.timeoutInterval = isCancelled ? 60 : 2
            let transfer = Task { [request] in await form.run(session, request) }
            try await nameServer.isAsked()
            let server = try LoopbackServer(.ok("abc"))
            if isCancelled { transfer.cancel() }
            let error = try #require(await transfer.value.error)
            #expect(isCancelled ? error.isCancelled : error.urlError?.code == .timedOut)
            for session in [session, URLSession(configuration: .forTests)] {
                let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
                _ = try await form.run(session, request).get()
            }
            // The thread that looks the name up is still there.
            exit(EXIT_SUCCESS)
        }
    }
    #endif
}

#endif

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
            try lookUpNamesForever()
            let form = try #require(APIForm.named(name))
            let session = URLSession(configuration: .forTests)
            let url = try #require(URL(string: "http://silent/"))
            var request = URLRequest(url: url, method: form.uploads ? .put : .get)
            request.timeoutInterval = isCancelled ? 60 : 2
            let transfer = Task { [request] in await form.run(session, request) }
            try await isBeingLookedUp()
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

/// Where a process looks for aliases of names without a dot (hostname(7)), before it asks a name server. Nobody writes into this
/// pipe, so that reading it does not end.
private let aliases = FileManager.default.temporaryDirectory.appendingPathComponent("aliases-\(getpid())").path

private func lookUpNamesForever() throws {
    try #require(mkfifo(aliases, 0o600) == 0)
    setenv("HOSTALIASES", aliases, 1)
}

/// Waits until somebody waits for the pipe. After that it is gone.
private func isBeingLookedUp() async throws {
    while true {
        let writer = open(aliases, O_WRONLY | O_NONBLOCK)
        if writer >= 0 { break }
        try await letOthersRun()
    }
    try #require(unlink(aliases) == 0)
}

#endif

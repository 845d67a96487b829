import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

@Suite(.inTurn)
struct PipeBodyTests {
    private let session = URLSession(configuration: .forTests)
    private let folder = TemporaryFolder()

    /// How a request ends that waits for the writer of a pipe.
    enum End: CaseIterable, Sendable { case cancellation, deadline, writer }

    @Test(
        "Requests that wait for pipes leave other tasks alone, and end with the writer, a cancellation or a deadline",
        arguments: [true, false], End.allCases)
    func pipes(inForm: Bool, _ end: End) async throws {
        let server = try LoopbackServer(.done)
        let gate = Gate()
        var deadline = Deadline(seconds: 600)
        deadline.sleep = { _ in try await gate.opened() }
        // Events connect again after a timeout.
        var kinds: [RequestKind] = [.response, .stream, .download, .values, .pages, .resumableDownload, .response]
        #if !canImport(FoundationNetworking)
        // Apple's URLSession reads the pipe of an upload itself, and no cancellation ends that.
        if !inForm { kinds.removeAll { $0 == .response || $0 == .pages } }
        #endif
        let pipes = kinds.indices.map { folder.pipe("\($0)") }
        let bodies = pipes.map { pipe -> RequestBody in
            inForm
                ? .multipart([.field("a", value: 1), .file("b", pipe)])
                : .file(pipe, contentType: "a/b")
        }
        let client = APIClient(
            baseURL: server.url(), session: session, middleware: end == .deadline ? [deadline] : [])
        let running = zip(kinds, bodies).map { kind, body in Task { await kind.text(client, sending: body) } }
        // Others get their turn, also while more wait than there are processors.
        let plain = APIClient(baseURL: server.url(), session: session)
        #expect(try await plain.result(for: Endpoint(.get, "plain", decoder: .string())).get() == RequestKind.body)
        switch end {
        case .cancellation: running.forEach { $0.cancel() }
        case .deadline: gate.open()
        case .writer: for pipe in pipes { pipe.give(Data("given".utf8)) }
        }
        for task in running {
            let result = await task.value
            switch end {
            case .cancellation: #expect(result.error?.isCancelled == true)
            case .deadline: #expect(result.error?.urlError?.code == .timedOut)
            case .writer: #expect(try result.get() == RequestKind.body)
            }
        }
        #expect(server.requests.count == (end == .writer ? 1 + kinds.count : 1))
        if end == .writer {
            #expect(server.requests.dropFirst().allSatisfy { $0.body.range(of: Data("given".utf8)) != nil })
        }
    }

    @Test(
        "A pipe is read once: a request with one is neither repeated nor sent with another token",
        arguments: [503, 401])
    func readOnce(status: Int) async throws {
        let server = try LoopbackServer(.status(status))
        let tokens = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [Retry(), tokens])
        let pipe = folder.pipe(giving: Data("given".utf8))
        let result = await client.result(for: Endpoint(.put, "a", body: .multipart([.file("b", pipe)]), decoder: .data))
        #expect(result.error?.statusCode == status)
        #expect(server.requests.count == 1)
    }
}

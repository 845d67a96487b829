import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Whatever a server does, the caller is told once, and told the truth.
@Suite(.inTurn)
struct FaultMatrixTests {
    @Test("A handler is called once, with what the server meant", arguments: Fault.survivable)
    func callback(_ fault: Fault) async throws {
        let outcomes = try await fault.outcomesOfHandler()
        let outcome = try #require(outcomes.first)
        #expect(fault.permits(outcome), "\(outcome)")
        #expect(outcomes.count == 1)
    }

    @Test(
        "An async method returns what the server meant",
        arguments: Fault.survivable, LoopbackServer.Transport.trusted)
    func asynchronous(_ fault: Fault, over transport: LoopbackServer.Transport) async throws {
        try await check(fault, over: transport) { session, request in
            if let body = fault.uploadedBody {
                await session.uploadResult(for: request, from: body)
            } else {
                await session.dataResult(for: request)
            }
        }
    }

    @Test(
        "Watching the progress changes nothing, and the last report comes before the result",
        arguments: Fault.survivable)
    func progress(_ fault: Fault) async throws {
        let reports = RecordedProgress()
        let countAtResult = Monitor(0)
        try await check(fault) { session, request in
            let result =
                if let body = fault.uploadedBody {
                    await session.uploadResult(for: request, from: body, progress: reports.handler)
                } else {
                    await session.dataResult(for: request, progress: reports.handler)
                }
            countAtResult.withLock { $0 = reports.all.count }
            if result.error == nil { #expect(reports.all.last?.fractionCompleted == 1) }
            return result
        }
        #expect(reports.all.count == countAtResult.value)
    }

    @Test(
        "A download leaves a file only when the server meant success",
        arguments: Fault.survivable.filter { $0.uploadedBody == nil })
    func download(_ fault: Fault) async throws {
        let folder = TemporaryFolder()
        try await check(fault) { session, request in
            let result = await session.downloadResult(for: request, to: folder.url.appendingPathComponent("file"))
            #expect(folder.contents == (result.error == nil ? ["file"] : []))
            return result.contents
        }
    }

    /// A short file is read as a whole, a long one piece by piece.
    @Test(
        "An upload from a file has the outcome of a request without a body", arguments: Fault.survivable, [9, 2 << 20])
    func uploadFromFile(_ fault: Fault, length: Int) async throws {
        let folder = TemporaryFolder()
        let file = folder.file("file", fault.uploadedBody ?? Data(count: length))
        try await check(fault) { session, request in
            var request = request
            request.httpMethod = "PUT"
            return await session.uploadResult(for: request, fromFile: file)
        }
        withExtendedLifetime(folder) {}
    }

    private func check(
        _ fault: Fault,
        over transport: LoopbackServer.Transport = .tcp,
        run: (URLSession, URLRequest) async -> DataResult
    ) async throws {
        let server = try fault.server(over: transport)
        let end = SessionEnd()
        let session = URLSession(configuration: .forTests, delegate: end, delegateQueue: nil)
        let outcome = Fault.Outcome(await run(session, fault.request(to: server.url())))
        #expect(fault.permits(outcome), "\(outcome)")
        try await end.follows(session)
    }

    @Test(
        "Where HTTP leaves the outcome open, it is still an error or what the server sent", arguments: Fault.all)
    func promisesElsewhere(_ fault: Fault) {
        #expect(fault.permitsElsewhere(fault.outcome))
        #expect(!fault.permitsElsewhere(.success("what no server sent")))
        #expect(!fault.permitsElsewhere(.serverError(599)))
        #expect(!fault.permitsElsewhere(.other))
    }

    @Test("Every fault has a name of its own, and those left out are in the table")
    func names() {
        let names = Fault.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}

extension Fault: CustomTestStringConvertible {
    /// The fault, as a test shows it.
    public var testDescription: String { name }
}

extension LoopbackServer.Transport: CustomTestStringConvertible {
    /// How the bytes go, as a test shows it.
    public var testDescription: String { scheme }
}

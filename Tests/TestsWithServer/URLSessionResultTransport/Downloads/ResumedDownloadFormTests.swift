#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting
@testable import URLSessionResultTransport
@testable import TestSupport

/// Every way to resume a download, with what else may happen to a request.
///
/// One after the other, because their files share one folder.
@Suite(.inTurn, .serialized)
struct ResumedDownloadFormTests {
    private static let body = Data.blocks(20, ofSize: 32_000)
    private static let contentRange = "bytes 100000-\(body.count - 1)/\(body.count)"

    /// What comes between the request for the rest and the rest.
    enum Detour: CaseIterable, Sendable {
        case none, redirect, redirectToOtherOrigin, challenge, cookie
    }

    /// Sends the first bytes of the body, and the rest to who asks for it.
    private static func server(_ detour: Detour = .none, otherOrigin: LoopbackServer? = nil) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            guard request.header("Range") != nil else {
                try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: body.count)
                try connection.send(body[..<100_000])
                return connection.close()
            }
            switch detour {
            case .redirect where request.path != "/target":
                try connection.respond(with: .redirect(to: "/target", status: 307), to: request)
            case .redirectToOtherOrigin:
                let target = otherOrigin?.url("/target").absoluteString ?? ""
                try connection.respond(with: .redirect(to: target, status: 307), to: request)
            case .challenge where request.header("Authorization") == nil:
                try connection.respond(with: .challenge(#"Basic realm="x""#), to: request)
            case .none, .redirect, .challenge, .cookie:
                try respondWithRest(to: request, by: connection)
            }
        }
    }

    private static func respondWithRest(
        to request: LoopbackServer.Request, by connection: LoopbackServer.Connection
    ) throws {
        let isMeant = request.header("Range") == "bytes=100000-" && request.header("If-Range") == "\"1\""
        try connection.respond(
            isMeant ? 206 : 400,
            headers: ["ETag": "\"1\"", "Content-Range": contentRange, "Set-Cookie": "album=blue"],
            body: body[100_000...])
    }

    private static func interrupted(_ server: LoopbackServer) async throws -> Data {
        let folder = TemporaryFolder()
        let session = URLSession(configuration: .forTests)
        let error = await session.downloadResult(from: server.url(), to: folder.file()).error
        return try #require(error?.resumeData)
    }

    @Test(
        "A download is resumed in every form, after redirects and challenges", arguments: ResumedDownloadForm.all,
        Detour.allCases)
    func detour(form: ResumedDownloadForm, detour: Detour) async throws {
        let other = try Self.server()
        let server = try Self.server(detour, otherOrigin: other)
        let resumeData = try await Self.interrupted(server)
        let configuration = URLSessionConfiguration.forTests
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        configuration.httpCookieStorage = storage
        let credential = URLCredential(user: "joni", password: "blue", persistence: .none)
        let session = SessionDelegate(challenge: (.useCredential, credential)).session(with: configuration)
        defer { session.finishTasksAndInvalidate() }
        #expect(try await form.send(session, resumeData, 200..<300, nil).get() == Self.body)
        #expect(storage.cookies?.map(\.name) == ["album"])
    }

    @Test("The rest may come from a mock", arguments: ResumedDownloadForm.all)
    func mock(form: ResumedDownloadForm) async throws {
        let resumeData = try await Self.interrupted(try Self.server())
        let stub = SessionStub(
            .response(
                statusCode: 206, headers: ["ETag": "\"1\"", "Content-Range": Self.contentRange],
                body: Data(Self.body[100_000...])))
        #expect(try await form.send(stub.session, resumeData, 200..<300, nil).get() == Self.body)
        #expect(stub.requests.map { $0.value(forHTTPHeaderField: "Range") } == ["bytes=100000-"])
    }

    @Test("The rest counts as success where the whole does", arguments: ResumedDownloadForm.all)
    func accepted(form: ResumedDownloadForm) async throws {
        let server = try Self.server()
        let session = URLSession(configuration: .forTests)
        let accepted = await form.send(session, try await Self.interrupted(server), 200..<201, nil)
        #expect(try accepted.get() == Self.body)
        let refused = await form.send(session, try await Self.interrupted(server), 201..<202, nil)
        #expect(refused.error?.statusCode == 206)
    }

    /// In a process of its own, because the folder of all others has room for sixteen files.
    @Test("Sixteen downloads are resumed at once, in every form")
    func crowd() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            setenv("TMPDIR", folder.url.path, 1)
            let server = try Self.server()
            let session = URLSession(configuration: .forTests)
            for form in ResumedDownloadForm.all {
                var all: [Data] = []
                for _ in 0..<16 { all.append(try await Self.interrupted(server)) }
                await withTaskGroup { group in
                    for resumeData in all {
                        group.addTask { await form.send(session, resumeData, 200..<300, nil) }
                    }
                    for await result in group { #expect((try? result.get()) == Self.body) }
                }
            }
            #expect(server.requests.count == ResumedDownloadForm.all.count * 32)
            #expect(folder.contents.isEmpty)
        }
    }
}

#endif

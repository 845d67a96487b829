#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Crowds of requests that are cancelled, each at a moment of its own.
///
/// The server says when the moment has come: it has got, or sent, so much of the exchange.
@Suite(.inTurn)
struct CancelledCrowdTests {
    /// How far an exchange is when it is cancelled.
    private enum Moment: CaseIterable {
        /// Nothing was sent, unless the event loop is fast.
        case started
        case requested
        case requestHalfRead
        case requestRead
        case headHalfSent
        case headSent
        case bodyHalfSent

        /// All but the end, which is on its way.
        case almostAnswered
        case answered

        static func of(_ index: Int) -> Moment { allCases[index % allCases.count] }

        /// The bytes of the response that are sent before.
        var sentBytes: Data.SubSequence {
            switch self {
            case .started, .requested, .requestHalfRead, .requestRead: response.prefix(0)
            case .headHalfSent: response.prefix(headLength / 2)
            case .headSent: response.prefix(headLength)
            case .bodyHalfSent: response.prefix(headLength + bodyLength / 2)
            case .almostAnswered: response.dropLast()
            case .answered: response[...]
            }
        }

        private var response: Data { CancelledCrowdTests.response }
        private var headLength: Int { CancelledCrowdTests.head.utf8.count }
        private var bodyLength: Int { CancelledCrowdTests.bodyLength }
    }

    private static let count = 1_000
    private static let bodyLength = 20_000
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bodyLength)\r\nConnection: close\r\n\r\n"
    private static let response = Data(head.utf8) + Data(count: bodyLength)

    /// The requests of a crowd, by their numbers.
    private final class Crowd: Sendable {
        private struct Requests: Sendable {
            var cancellations: [Int: CancelledForm.Cancel] = [:]
            var results: [Int: [DataResult]] = [:]
        }

        private let requests = Monitor(Requests())

        func start(_ index: Int, _ start: (@escaping @Sendable (DataResult) -> Void) -> CancelledForm.Cancel) {
            let cancel = start { result in self.requests.withLock { $0.results[index, default: []].append(result) } }
            requests.withLock { $0.cancellations[index] = cancel }
        }

        /// Cancels a request as soon as it can be.
        func cancel(_ index: Int) {
            requests.wait { $0.cancellations[index] != nil }
            requests.value.cancellations[index]?()
        }

        /// Waits until each request has ended.
        ///
        /// - Returns: The results of each.
        func results(of count: Int) async throws -> [[DataResult]] {
            try await requests.value { $0.results.count == count }.results.values.map(\.self)
        }

        /// Each request has ended once, because it was cancelled.
        func expectCancellations(_ count: Int) async throws {
            let results = try await results(of: count)
            #expect(results.allSatisfy { $0.count == 1 })
            for result in results.joined() where result.error?.isCancelled != true { Issue.record("\(result)") }
        }
    }

    @Test(
        "1,000 requests that are cancelled at every moment end once each, and leave no connection open",
        arguments: ["data", "upload", "file", "download", "await with progress", "stream"], [6, 1_000])
    func everyMoment(name: String, atOnce connectionCount: Int) async throws {
        let folder = TemporaryFolder()
        let form = CancelledForm.named(name) ?? .fileUpload(of: folder.file("file", Data(count: 1 << 20)))
        let crowd = Crowd()
        let server = try LoopbackServer(readsBodies: false, keepsRequests: false) { request, connection in
            let index = try #require(Int(request.path.dropFirst()))
            let moment = Moment.of(index)
            let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
            switch moment {
            case .started, .requested: break
            case .requestHalfRead: _ = try connection.readPartOfBody(length / 2)
            default: _ = try connection.readBody()
            }
            try connection.send(Data(moment.sentBytes))
            if moment != .started { crowd.cancel(index) }
            if moment == .answered { connection.close() } else { connection.waitForClientToClose() }
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = connectionCount
        let end = SessionEnd()
        let session = URLSession(configuration: configuration, delegate: end, delegateQueue: nil)
        for index in 0..<Self.count {
            crowd.start(index) { form.start(session, server.url("/\(index)"), $0) }
            if Moment.of(index) == .started { crowd.cancel(index) }
        }
        _ = try await crowd.results(of: Self.count)
        // Though the session goes on.
        try await server.connectionsClosed()
        try await end.follows(session)
        let results = try await crowd.results(of: Self.count)
        withExtendedLifetime(folder) {}
        #expect(results.allSatisfy { $0.count == 1 })
        for error in results.joined().compactMap(\.error) where !error.isCancelled { Issue.record("\(error)") }
    }

    #if os(Linux)
    @Test(
        "1,000 requests that are cancelled before there is a connection end once each while the server keeps silent",
        arguments: ["data", "upload", "download", "await with progress", "stream"], UnfinishedServer.Stage.allCases)
    func beforeConnection(name: String, _ stage: UnfinishedServer.Stage) async throws {
        let form = try #require(CancelledForm.named(name))
        // Over TLS, all but the first wait until its connection is there, or for two seconds.
        for countOfClients in stage == .handshake ? [1, Self.count] : [Self.count] {
            let server = try UnfinishedServer(stage)
            let configuration = URLSessionConfiguration.forTests
            configuration.httpMaximumConnectionsPerHost = Self.count
            let crowd = Crowd()
            let end = SessionEnd()
            let session = URLSession(configuration: configuration, delegate: end, delegateQueue: nil)
            let url = try server.url()
            for index in 0..<Self.count { crowd.start(index) { form.start(session, url, $0) } }
            try await server.clients(atLeast: countOfClients)
            for index in 0..<Self.count { crowd.cancel(index) }
            _ = try await crowd.results(of: Self.count)
            try await server.clientsAreGone()
            try await end.follows(session)
            try await crowd.expectCancellations(Self.count)
        }
    }
    #endif

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "1,000 requests that are cancelled while their host is looked up end once each while the name server keeps silent",
        arguments: ["data", "upload", "download", "await with progress", "stream"])
    func lookUp(name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            let nameServer = try SilentNameServer()
            // Has the process have enough descriptors.
            let server = try LoopbackServer(.ok("abc"))
            let form = try #require(CancelledForm.named(name))
            let configuration = URLSessionConfiguration.forTests
            configuration.httpMaximumConnectionsPerHost = Self.count
            let crowd = Crowd()
            let end = SessionEnd()
            let session = URLSession(configuration: configuration, delegate: end, delegateQueue: nil)
            let url = try #require(SilentNameServer.url)
            for index in 0..<Self.count { crowd.start(index) { form.start(session, url, $0) } }
            try await nameServer.isAsked(times: Self.count)
            for index in 0..<Self.count { crowd.cancel(index) }
            _ = try await crowd.results(of: Self.count)
            _ = try await session.dataResult(from: server.url()).get()
            try await end.follows(session)
            try await crowd.expectCancellations(Self.count)
            // The threads that look the name up are still there.
            exit(EXIT_SUCCESS)
        }
    }
    #endif

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "1,000 uploads over HTTP/2 that are cancelled, 100 at once, end once each, and the connection goes on",
        .enabled(if: TrustedServer.areRunning), arguments: ["upload", "file"], [false, true])
    func uploadsOverHTTP2(name: String, besideAnother: Bool) async {
        await #expect(processExitsWith: .success) { [name, besideAnother] in
            let folder = TemporaryFolder()
            let form = CancelledForm.named(name) ?? .fileUpload(of: folder.file("file", Data(count: 1 << 20)))
            let crowd = Crowd()
            let server = try UploadServer(cancelling: crowd)
            let end = SessionEnd()
            let session = URLSession(configuration: .forTests, delegate: end, delegateQueue: nil)
            var descriptorCounts: [Int] = []
            let step = 100
            for first in stride(from: 0, to: Self.count, by: step) {
                let waiting = besideAnother ? try await server.waitingRequest(in: session) : nil
                for index in first..<first + step {
                    let url = try server.url("/\(index)")
                    crowd.start(index) { form.start(session, url, $0) }
                }
                _ = try await crowd.results(of: first + step)
                // What libcurl before 8.15 has kept for the server goes with the next request.
                if !besideAnother { try await server.connectionsClosed() }
                let connection = try await server.connectionOfUpload(in: session)
                server.answerWaitingRequest()
                if let waiting { #expect(try await waiting.value == connection) }
                try await server.connectionsClosed()
                descriptorCounts.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
            }
            try await end.follows(session)
            try await crowd.expectCancellations(Self.count)
            // The first uploads open what a process opens once.
            #expect(descriptorCounts[9] < descriptorCounts[0] + 10, "\(descriptorCounts)")
            endProcess(removing: folder)
        }
    }
    #endif

    /// A server behind the trusted one that cancels uploads when so much of them has come. It says on which connection the others came.
    private struct UploadServer: Sendable {
        private let server: LoopbackServer
        private let waitingCount = Monitor(0)
        private let answeredCount = Monitor(0)

        init(cancelling crowd: Crowd) throws {
            server = try LoopbackServer(readsBodies: false, keepsRequests: false) {
                [waitingCount, answeredCount] request, connection in
                switch request.path {
                case "/whole":
                    let body = try connection.readBody()
                    try connection.respond(body: "\(body.count) bytes on \(request.header("X-Connection") ?? "")")
                case "/waiting":
                    let count = waitingCount.withLock { count in
                        count += 1
                        return count
                    }
                    answeredCount.wait { $0 >= count }
                    try connection.respond(body: request.header("X-Connection") ?? "")
                default:
                    let index = try #require(Int(request.path.dropFirst()))
                    let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
                    if index % 3 > 0 { _ = try connection.readPartOfBody(length * (index % 3) / 2) }
                    crowd.cancel(index)
                    connection.waitForClientToClose()
                }
            }
        }

        func url(_ path: String) throws -> URL { try TrustedServer.http2.url("/loopback/\(server.port)\(path)") }

        /// Waits until the trusted server has no request of the crowd any more.
        func connectionsClosed() async throws { try await server.connectionsClosed() }

        /// Sends a request that waits for `answerWaitingRequest()`.
        ///
        /// - Returns: The number of its connection, when it is answered.
        func waitingRequest(in session: URLSession) async throws -> Task<String, any Error> {
            let count = waitingCount.value
            let url = try url("/waiting")
            let transfer = Task {
                String(decoding: try await session.dataResult(from: url).get(), as: UTF8.self)
            }
            try await waitingCount.value { $0 > count }
            return transfer
        }

        func answerWaitingRequest() { answeredCount.withLock { $0 = waitingCount.value } }

        /// Sends a whole upload.
        ///
        /// - Returns: The number of its connection.
        func connectionOfUpload(in session: URLSession) async throws -> String {
            let request = URLRequest(url: try url("/whole"), method: .put)
            let size = 1 << 20
            let body = try await session.uploadResult(for: request, from: Data(count: size)).get()
            let words = String(decoding: body, as: UTF8.self).components(separatedBy: " bytes on ")
            #expect(words.first == "\(size)")
            return try #require(words.last)
        }
    }
}

extension CancelledForm {
    /// A form whose file is there for as long as the test needs it.
    fileprivate static func fileUpload(of file: URL) -> CancelledForm {
        CancelledForm(name: "file") { session, url, handler in
            let request = URLRequest(url: url, method: .put)
            let task = session.uploadTask(with: request, fromFile: file, resultHandler: handler)
            task.resume()
            return { task.cancel() }
        }
    }
}

#endif

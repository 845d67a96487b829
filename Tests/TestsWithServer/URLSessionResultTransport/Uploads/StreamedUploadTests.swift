#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Files and data that are sent piece by piece, and what happens to a file meanwhile.
@Suite(.inTurn)
struct StreamedUploadTests {
    /// Long enough to be sent piece by piece.
    private static let large = Data.blocks(100, ofSize: 32_000)
    private static let small = Data.blocks(3, ofSize: 32_000)

    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    @Test(
        "A body has its length and no other fields than a short one has, however long it is",
        arguments: ["PUT", "POST"], [small, large])
    func fields(method: String, body: Data) async throws {
        let server = try LoopbackServer(.ok())
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        _ = try await session.uploadResult(for: request, fromFile: folder.file("file", body)).get()
        _ = try await session.uploadResult(for: request, from: body).get()
        for request in server.requests {
            #expect(request.body == body)
            #expect(request.header("Content-Length") == "\(body.count)")
            for name in ["Transfer-Encoding", "Content-Type", "Expect"] { #expect(request.header(name) == nil) }
        }
        #expect(server.requests.count == 2)
    }

    @Test("A body is sent in chunks if the caller says so")
    func chunks() async throws {
        let server = try LoopbackServer(.echo)
        var request = URLRequest(url: server.url(), method: .put)
        request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
        #expect(try await session.uploadResult(for: request, from: Self.large).get() == Self.large)
        #expect(server.requests.first?.header("Content-Length") == nil)
    }

    @Test("A slice is sent as it is")
    func slice() async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let slice = Self.large.dropFirst(5)
        #expect(try await session.uploadResult(for: request, from: slice).get() == Data(slice))
    }

    @Test("A long body counts up to its length, which is known from the beginning", arguments: [true, false])
    func progress(isFile: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let request = URLRequest(url: server.url(), method: .put)
        let reports = RecordedProgress()
        let result =
            if isFile {
                await session.uploadResult(
                    for: request, fromFile: folder.file("file", Self.large), progress: reports.handler)
            } else {
                await session.uploadResult(for: request, from: Self.large, progress: reports.handler)
            }
        #expect(try result.get() == Data())
        let length = Int64(Self.large.count)
        #expect(reports.all.allSatisfy { $0.totalBytes == length })
        #expect(reports.all.last?.completedBytes == length)
    }

    @Test(
        "A long body goes along where the server has closed a kept connection without an answer",
        arguments: [true, false])
    func lostConnection(isFile: Bool) async throws {
        let uploads = Monitor(0)
        let server = try LoopbackServer { request, connection in
            if request.body.isEmpty { return try connection.respond(200) }
            let count = uploads.withLock { count in
                count += 1
                return count
            }
            if count == 1 { connection.close() } else { try connection.respond(200, body: request.body) }
        }
        _ = try await session.dataResult(from: server.url()).get()
        let request = URLRequest(url: server.url(), method: .put)
        let result =
            if isFile {
                await session.uploadResult(for: request, fromFile: folder.file("file", Self.large))
            } else {
                await session.uploadResult(for: request, from: Self.large)
            }
        #expect(try result.get() == Self.large)
    }

    // MARK: What happens to the file

    enum Change: CaseIterable {
        case replaced, removed, grown, shrunk

        static let harmless = allCases.filter { $0 != .shrunk }
        static let ofContent = allCases.filter { $0 != .removed }

        func make(of file: URL) throws {
            switch self {
            case .replaced:
                try Data("another".utf8).write(to: file, options: .atomic)
            case .removed:
                try FileManager.default.removeItem(at: file)
            case .grown:
                let handle = try FileHandle(forWritingTo: file)
                try handle.seekToEnd()
                try handle.write(contentsOf: Data(count: 1000))
            case .shrunk:
                try FileHandle(forWritingTo: file).truncate(atOffset: 1000)
            }
        }
    }

    @Test("A file is sent as it was when the task was resumed", arguments: Change.harmless, [small, large])
    func changedBetweenRequests(change: Change, body: Data) async throws {
        let file = folder.file("file", body)
        let server = try LoopbackServer { request, connection in
            guard request.path == "/" else { return try connection.respond(200, body: request.body) }
            try change.make(of: file)
            try connection.respond(with: .redirect(to: "/target", status: 307), to: request)
        }
        let request = URLRequest(url: server.url(), method: .put)
        #expect(try await session.uploadResult(for: request, fromFile: file).get() == body)
    }

    @Test("A file that shrinks fails if its bytes were not read before", arguments: [(small, true), (large, false)])
    func shrunkBetweenRequests(body: Data, arrives: Bool) async throws {
        let file = folder.file("file", body)
        let server = try LoopbackServer { request, connection in
            guard request.path == "/" else { return try connection.respond(200, body: request.body) }
            try Change.shrunk.make(of: file)
            try connection.respond(with: .redirect(to: "/target", status: 307), to: request)
        }
        let request = URLRequest(url: server.url(), method: .put)
        let result = await session.uploadResult(for: request, fromFile: file)
        if arrives {
            #expect(try result.get() == body)
        } else {
            #expect(result.error?.urlError?.code == .requestBodyStreamExhausted)
        }
    }

    @Test("A file that changes while it is sent arrives as it was, unless it shrinks", arguments: Change.allCases)
    func changedWhileSent(change: Change) async throws {
        // More than the buffers of a connection hold.
        let body = Data.blocks(250, ofSize: 128_000)
        let file = folder.file("file", body)
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            let beginning = try connection.readPartOfBody(100_000)
            try change.make(of: file)
            let rest = try connection.readPartOfBody(body.count - beginning.count)
            try connection.respond(200, body: beginning + rest == body ? "whole" : "other")
        }
        let result = await session.uploadResult(for: URLRequest(url: server.url(), method: .put), fromFile: file)
        if change == .shrunk {
            #expect(result.error?.urlError?.code == .requestBodyStreamExhausted)
        } else {
            #expect(try result.get() == Data("whole".utf8))
        }
    }

    @Test("Until its task is resumed a file may change, and is not open", arguments: Change.ofContent)
    func changedBeforeResume(change: Change) async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let file = folder.file("file", Self.large)
        let result = await withCheckedContinuation { continuation in
            let task = session.uploadTask(with: request, fromFile: file) { continuation.resume(returning: $0) }
            #expect(openPaths.allSatisfy { $0 != file.path })
            #expect(throws: Never.self) { try change.make(of: file) }
            task.resume()
        }
        #expect(try result.get() == Data(contentsOf: file))
    }

    @Test("A file that is removed before its task is resumed is an error")
    func removedBeforeResume() async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let file = folder.file("file", Self.large)
        let result = await withCheckedContinuation { continuation in
            let task = session.uploadTask(with: request, fromFile: file) { continuation.resume(returning: $0) }
            #expect(throws: Never.self) { try Change.removed.make(of: file) }
            task.resume()
        }
        #expect((result.error?.underlyingError as? CocoaError)?.code == .fileReadNoSuchFile)
        #expect(server.requests.isEmpty)
    }

    @Test("A file of 5 GB that takes no room on the disk announces its length")
    func sparseFile() async throws {
        let lengths = Monitor<[String?]>([])
        let server = try LoopbackServer(readsBodies: false) { request, connection in
            lengths.withLock { $0.append(request.header("Content-Length")) }
            _ = try connection.readPartOfBody(10_000_000)
            connection.reset()
        }
        let file = folder.file("file", Data())
        try FileHandle(forWritingTo: file).truncate(atOffset: 5 << 30)
        let result = await session.uploadResult(
            for: URLRequest(url: server.url(), method: .put), fromFile: file)
        #expect(result.error?.urlError != nil)
        #expect(lengths.value == ["5368709120"])
    }

    /// Over HTTP/2, all are on one connection.
    @Test(
        "Sixteen bodies are sent at once, each as it is",
        arguments: [nil] + (TrustedServer.areRunning ? TrustedServer.valid : []))
    func manyBodies(server: TrustedServer?) async throws {
        let loopback = try LoopbackServer(.echo)
        let url = try server?.url("/loopback/\(loopback.port)/") ?? loopback.url()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let body = Self.large + Data("\(number)".utf8)
                    var request = URLRequest(url: url, method: .put)
                    let result: DataResult
                    switch number % 3 {
                    case 0: result = await session.uploadResult(for: request, from: body)
                    case 1:
                        result = await session.uploadResult(for: request, fromFile: folder.file("\(number)", body))
                    default:
                        request.httpBodyStream = InputStream(data: body)
                        result = await session.dataResult(for: request)
                    }
                    let received = try result.get()
                    #expect(received == body)
                }
            }
            try await group.waitForAll()
        }
    }

    /// The files that this process has open.
    private var openPaths: [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
    }
}

#endif

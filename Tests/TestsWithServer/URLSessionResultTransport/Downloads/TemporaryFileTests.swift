#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The temporary files of downloads. A program may exit as soon as it has a result.
@Suite(.inTurn)
struct TemporaryFileTests {
    /// What a download ends with.
    enum Ending: String, CaseIterable, Codable, Sendable {
        case success, errorResponse, truncation, destinationInTheWay

        func server(for destination: URL) throws -> LoopbackServer {
            switch self {
            case .success: return try LoopbackServer(.ok("body"))
            case .errorResponse: return try LoopbackServer(.status(404, "missing"))
            case .truncation: return try LoopbackServer(.truncated("abc", of: 9))
            case .destinationInTheWay:
                return try LoopbackServer { _, connection in
                    try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
                    try connection.respond(body: "body")
                }
            }
        }
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test("With its result, a download has left no temporary file", arguments: Ending.allCases)
    func filesLeft(_ ending: Ending) async {
        await #expect(processExitsWith: .success) { [ending] in
            let place = TemporaryFolder()
            let destination = place.file()
            let folder = TemporaryFolder()
            setenv("TMPDIR", folder.url.path, 1)
            #expect(FileManager.default.temporaryDirectory.resolvingSymlinksInPath() == folder.url)
            let server = try ending.server(for: destination)
            let session = URLSession(configuration: .forTests)
            let filesLeft = Monitor<[[String]]>([])
            let note = { @Sendable in filesLeft.withLock { $0.append(folder.contents) } }
            await withCheckedContinuation { continuation in
                session.downloadTask(with: server.url(), decoder: .data) { (_: DataResult) in
                    note()
                    continuation.resume()
                }.resume()
            }
            await withCheckedContinuation { continuation in
                session.downloadTask(with: server.url(), to: destination) { (_: Result<URL, NetworkError>) in
                    note()
                    continuation.resume()
                }.resume()
            }
            await withCheckedContinuation { continuation in
                session.downloadTask(with: server.url()) { (result: Result<URL, NetworkError>) in
                    // A handler gets the file of a success.
                    if result.error != nil { note() }
                    continuation.resume()
                }.resume()
            }
            _ = await session.downloadResult(from: server.url(), decoder: .ignored)
            note()
            _ = await session.downloadResult(from: server.url(), to: destination)
            note()
            _ = await session.downloadResponse(from: server.url(), to: destination)
            note()
            #expect(filesLeft.value.count >= 5)
            #expect(filesLeft.value.allSatisfy { $0.isEmpty }, "\(filesLeft.value)")
        }
    }
    #endif
}

#endif

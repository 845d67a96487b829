// Exit tests capture values from Swift 6.3 on.
#if canImport(FoundationNetworking) && compiler(>=6.3)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Reading the mapping of a file that has become shorter ends the process, so this test has one of its own.
@Suite(.inTurn)
struct ShrinkingFileTests {
    @Test("A file that shrinks while it is sent is an error", arguments: [false, true])
    func upload(reportsProgress: Bool) async {
        await #expect(processExitsWith: .success) { [reportsProgress] in
            let folder = TemporaryFolder()
            let file = folder.file("file", Data())
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 32 << 20)
            // More is left then than buffers and pieces hold.
            let server = try LoopbackServer(readsBodies: false) { _, connection in
                try handle.truncate(atOffset: 1)
                _ = try connection.readBody()
                try connection.respond()
            }
            let session = URLSession(configuration: .forTests)
            let request = URLRequest(url: server.url(), method: .put)
            let progress = reportsProgress ? ignored : nil
            let result = await session.uploadResult(for: request, fromFile: file, progress: progress)
            #expect(result.error?.urlError?.code == .requestBodyStreamExhausted)
            #expect(folder.contents == ["file"])
        }
    }
}

#endif

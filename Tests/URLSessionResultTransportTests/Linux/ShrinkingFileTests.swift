// Exit tests capture values from Swift 6.3 on.
#if canImport(FoundationNetworking) && compiler(>=6.3)

import Foundation
import Testing
import URLSessionResult

/// Reading the mapping of a file that has become shorter ends the process, so this test has one of its own.
@Suite(.inTurn)
struct ShrinkingFileTests {
    @Test("A file that shrinks while its task is made and sent arrives in part or fails", arguments: [false, true])
    func upload(reportsProgress: Bool) async {
        await #expect(processExitsWith: .success) { [reportsProgress] in
            let server = try LoopbackServer(.ok())
            let session = URLSession(configuration: .forTests)
            let request = URLRequest(url: server.url(), method: .put)
            let folder = TemporaryFolder()
            for milliseconds: UInt32 in 0..<20 {
                let file = folder.file("file", Data())
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 32 << 20)
                Thread.detachNewThread {
                    usleep(1000 * milliseconds)
                    try? handle.truncate(atOffset: 1)
                }
                let progress = reportsProgress ? ignored : nil
                let result = await session.uploadResult(for: request, fromFile: file, progress: progress)
                #expect(result.error == nil || result.error?.underlyingError != nil)
            }
        }
    }
}

#endif

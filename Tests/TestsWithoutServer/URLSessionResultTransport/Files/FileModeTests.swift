#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// Who may open a file at its destination. Each test is a process, because a mask belongs to a process.
struct FileModeTests {
    /// Places a file that only this user may open.
    ///
    /// - Returns: Its mode there.
    private static func modeAfterPlacing(at destination: URL, in folder: TemporaryFolder) throws -> mode_t? {
        let file = folder.file("temporary", Data("new".utf8))
        SystemCalls.setMode(0o600, ofFileAt: file.path)
        return SystemCalls.mode(ofFileAt: try file.placed(at: destination).path)
    }

    @Test("A new file has the mode that the mask of the process leaves")
    func newFile() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            for (mask, mode) in [(0o022, 0o644), (0o027, 0o640), (0, 0o666)] as [(mode_t, mode_t)] {
                umask(mask)
                let modeAtDestination = try Self.modeAfterPlacing(at: folder.file("\(mask)"), in: folder)
                precondition(modeAtDestination == mode)
            }
            precondition(folder.contents == ["0", "18", "23"])
        }
    }

    @Test("A file keeps the mode of the file that it replaces")
    func replacedFile() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            umask(0o077)
            for mode in [0o644, 0o400, 0o755] as [mode_t] {
                let destination = folder.file("\(mode)", Data("old".utf8))
                SystemCalls.setMode(mode, ofFileAt: destination.path)
                let modeAtDestination = try Self.modeAfterPlacing(at: destination, in: folder)
                precondition(modeAtDestination == mode)
            }
        }
    }
}

#endif

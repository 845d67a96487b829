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
    private static func modeAfterPlacing(
        at destination: URL, in folder: TemporaryFolder, byRenaming isRenamed: Bool
    ) throws -> mode_t? {
        let file = folder.file("temporary", Data("new".utf8))
        SystemCalls.setMode(0o600, ofFileAt: file.path)
        let placed = try isRenamed ? file.renamed(to: destination) : file.placed(at: destination)
        return SystemCalls.mode(ofFileAt: placed.path)
    }

    @Test("A new file has the mode that the mask of the process leaves")
    func newFile() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            for (mask, mode) in [(0o022, 0o644), (0o027, 0o640), (0, 0o666)] as [(mode_t, mode_t)] {
                umask(mask)
                for isRenamed in [true, false] {
                    let modeAtDestination = try Self.modeAfterPlacing(
                        at: folder.file("\(mask)-\(isRenamed)"), in: folder, byRenaming: isRenamed)
                    precondition(modeAtDestination == mode)
                }
            }
            precondition(folder.contents.count == 6)
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
                for isRenamed in [true, false] {
                    let modeAtDestination = try Self.modeAfterPlacing(
                        at: destination, in: folder, byRenaming: isRenamed)
                    precondition(modeAtDestination == mode)
                }
            }
        }
    }
}

#endif

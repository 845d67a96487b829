import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

struct RunningDownloadsTests {
    private let downloads = RunningDownloads()
    private let file = URL(fileURLWithPath: "/a")
    private let gate = Gate()

    /// Ends when the gate opens, also if it is cancelled.
    private func slowDownload() async -> Result<Int, NetworkError> {
        await Task { try? await gate.opened() }.value
        return .success(1)
    }

    @Test("Another download waits for the end of one that is cancelled, until it is cancelled, too")
    func afterCancelled() async throws {
        let hasBegun = Monitor(false)
        let first = Task {
            await downloads.run(to: file, locking: file) {
                hasBegun.withLock { $0 = true }
                return await slowDownload()
            }
        }
        try await hasBegun.value { $0 }
        let early = await downloads.run(to: file, locking: file) { .success(0) }
        #expect((early.error?.underlyingError as? CocoaError)?.code == .fileLocking)
        first.cancel()
        let second = Task { await downloads.run(to: file, locking: file) { .success(2) } }
        let third = Task { await downloads.run(to: file, locking: file) { .success(3) } }
        third.cancel()
        #expect(await third.value.error?.isCancelled == true)
        gate.open()
        #expect(try await first.value.get() == 1)
        #expect(try await second.value.get() == 2)
    }
}

#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

struct StreamSourceTests {
    @Test("A stream can be sent again as long as nothing of it was sent")
    func rewind() async throws {
        let source = StreamSource(InputStream(data: Data("abc".utf8)), length: nil)
        let isReady = Monitor(false)
        source.whenReady = { isReady.withLock { $0 = true } }
        #expect(source.rewind(to: 0))
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { bytes.deallocate() }
        // The first piece is read on another thread.
        var count = try source.read(into: bytes)
        #expect(count == nil || count == 3)
        if count == nil {
            #expect(source.rewind(to: 0))
            try await isReady.value { $0 }
            count = try source.read(into: bytes)
        }
        #expect(count == 3)
        #expect(!source.rewind(to: 0))
        source.stop()
    }
}

#endif

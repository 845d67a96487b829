#if os(Linux)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// What signals do to the upload of a pipe. In a process of its own, because a handler of signals belongs to a process.
struct InterruptedPipeTests {
    @Test("A signal does not end the reading of a pipe")
    func signals() async {
        await #expect(processExitsWith: .success) {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in }
            sigaction(SIGUSR1, &action, nil)
            let folder = TemporaryFolder()
            let pipe = folder.pipe()
            let reader = Monitor<pthread_t?>(nil)
            let contents = Monitor<Result<Data?, any Error>?>(nil)
            Thread.detachNewThread {
                reader.withLock { $0 = pthread_self() }
                let read = Result { try TaskKind(uploading: .file(pipe)).opened(waitingUpTo: 600).body?.contents() }
                contents.withLock { $0 = read }
            }
            let end = try #require(FileHandle(forWritingAtPath: pipe.path))
            let thread = try #require(reader.value)
            for _ in 1...100 {
                pthread_kill(thread, SIGUSR1)
                // Time to wait for bytes again. Without it the test would pass, too.
                usleep(200)
            }
            try end.write(contentsOf: Data("whole".utf8))
            try end.close()
            let read = try #require(try await contents.value { $0 != nil })
            #expect(try read.get() == Data("whole".utf8))
            #expect(folder.contents == ["pipe"])
        }
    }
}

#endif

import Foundation

/// Ends the process of an exit test that has used TLS.
///
/// `exit` would let OpenSSL clean up, which goes through the data of all threads, and crashes if one of them ends meanwhile
/// (`init_thread_deregister` of OpenSSL 3.0).
///
/// - Parameter folders: Folders to remove, which would stay.
func endProcess(removing folders: TemporaryFolder...) -> Never {
    for folder in folders { folder.remove() }
    _exit(EXIT_SUCCESS)
}

/// The end of an exit test that hangs.
///
/// Swift Testing waits for its process without a limit, on one of the two threads that it may have, and cannot be cancelled.
package enum ExitTestLimit {
    /// In seconds, below the limit of a test.
    private static let limit: UInt32 = 240

    /// The processes of exit tests inherit it.
    private static let variable = "PROCESS_OF_TESTS"

    /// Tells the processes of exit tests that they are no others.
    package static let announce: Void = { setenv(variable, "\(getpid())", 1) }()

    /// Begins the limit, if this is the process of an exit test. `SIGALRM` ends it.
    static let begin: Void = {
        guard let process = getenv(variable), String(cString: process) != "\(getpid())" else { return }
        alarm(limit)
    }()
}

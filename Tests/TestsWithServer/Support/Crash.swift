#if os(Linux)

import Glibc
import Testing

extension ExitTest.Condition {
    /// The process has crashed. An error that a test throws ends it, too, but with a code.
    static var crash: Self {
        #if arch(x86_64)
        .signal(SIGILL)
        #else
        .signal(SIGTRAP)
        #endif
    }
}

#endif

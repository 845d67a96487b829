#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// What a transfer takes from FoundationNetworking and from the system. A test passes its own, and plays them on one thread.
struct TransferDependencies: Sendable {
    typealias Work = @Sendable () -> Void

    /// Whether the caller's session lists the transfer among its tasks, and cancels it with them.
    var isListed = true

    /// Finds who loads a request, at once or later.
    var findLoader: @Sendable (URLRequest, URLSessionConfiguration, @escaping @Sendable (Loader) -> Void) -> Void = {
        $1.findLoader(of: $0, $2)
    }

    /// Makes the load of a transaction.
    var makeLoad: @Sendable (Loader, URLRequest, Transaction) throws -> any Load = { try $0.makeLoad(of: $1, for: $2) }

    /// Makes the file of a download.
    var makeFile: @Sendable () throws -> DownloadedFile = { try DownloadedFile() }

    /// Calls a function that may wait for the work queue.
    var callOnGlobalQueue: @Sendable (@escaping Work) -> Void = { onGlobalQueue($0) }

    /// Calls a function after some seconds.
    var callLater: @Sendable (TimeInterval, @escaping Work) -> Void = {
        DispatchQueue.global().asyncAfter(deadline: .now() + $0, execute: $1)
    }
}

#endif

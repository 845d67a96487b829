#if canImport(FoundationNetworking)

import Foundation

/// A task of an inner session that may wait for its response.
struct WaitingTask: Hashable, Sendable {
    let task: URLSessionTask
    let session: URLSession

    var place: KeptConnections.Place { KeptConnections.Place(of: task.originalRequest?.url, in: session) }

    static func == (one: Self, other: Self) -> Bool { one.task === other.task }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(task)) }
}

// MARK: - On the work queue

extension WaitingTask {
    /// Lets libcurl give the socket of the task back.
    ///
    /// - Returns: Whether another look is of use.
    func quietSocket() -> Bool {
        guard let transfer = task.libcurlTransfer() else { return true }
        guard transfer.isConnected else {
            // While a connection is made, a pause changes nothing. The request may time out while its host is looked up.
            // Workaround: silentNameServer
            transfer.leaveNameServer()
            return true
        }
        // Workaround: busyWait
        if isEncrypted {
            let port = transfer.localPort
            session.libcurlTransfers().filter { $0.localPort == port && $0.isConnected }.pauseAndResume()
            return true
        }
        guard transfer.hasNewConnection || sendsBody else { return false }
        [transfer].pauseAndResume()
        return true
    }

    /// Over TLS, HTTP/2 may have several transfers on a connection.
    private var isEncrypted: Bool { task.originalRequest?.url?.scheme == "https" }

    private var sendsBody: Bool {
        task is URLSessionUploadTask || task.originalRequest?.httpBodyStream != nil
            || task.originalRequest?.httpBody != nil
    }
}

extension [LibcurlTransfer] {
    /// All are paused at once: those of a connection share its socket.
    fileprivate func pauseAndResume() {
        for transfer in self { transfer.pause() }
        for transfer in self { transfer.resume() }
    }
}

#endif

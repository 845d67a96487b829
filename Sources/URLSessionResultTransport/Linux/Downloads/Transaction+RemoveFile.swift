#if canImport(FoundationNetworking)

import Foundation

extension Transaction {
    /// Removes the file of a download, unless it was moved.
    func removeFile() {
        guard let file = content.withLock({ $0.received.removeFile() }) else { return }
        try? FileManager.default.removeItem(at: file)
    }
}

#endif

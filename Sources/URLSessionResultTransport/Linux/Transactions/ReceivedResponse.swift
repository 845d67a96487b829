#if canImport(FoundationNetworking)

import Foundation

/// What has arrived of a response. It belongs to a transaction, whose lock is held on every access.
struct ReceivedResponse {
    /// Whether the response may lead to another request, so that its bytes are not counted yet: its head says so, or none has come.
    var isWithheld = true
    private(set) var data = Data()

    /// How many bytes have come. Those of a download count when they are written, or held back.
    var count: Int64 = 0

    /// The file of a download. Its bytes are written without the lock.
    var file: DownloadedFile?

    /// The length of a file that is resumed, with the bytes that were there before.
    var wholeCount: Int64?

    /// Why the bytes that arrive cannot be put behind the kept ones.
    var errorOfContinuing: (any Error)?

    /// Whether a head has said what becomes of the kept file. A `URLProtocol` may give several heads.
    var hasContinued = false

    /// Whether the file was removed. What arrives later makes no other one.
    private var isRemoved = false

    /// Keeps bytes in memory.
    mutating func keep(_ bytes: Data) {
        data.append(bytes)
        count += Int64(bytes.count)
    }

    /// Takes the bytes that are in memory.
    mutating func takeData() -> Data {
        defer { data = Data() }
        return data
    }

    // MARK: The file of a download

    /// - Returns: The file, or nil if there is none yet.
    /// - Throws: The reason why nothing can be written.
    func fileToWrite() throws -> DownloadedFile? {
        if let errorOfContinuing { throw errorOfContinuing }
        guard !isRemoved else { throw URLError(.cancelled) }
        return file
    }

    /// Begins with a new file.
    ///
    /// - Returns: Whether it is needed. It may have been removed before it was made.
    mutating func begin(_ new: DownloadedFile) -> Bool {
        guard !isRemoved else { return false }
        file = new
        return true
    }

    /// Takes the file, so that nobody else removes it.
    mutating func takeFile() -> DownloadedFile? {
        guard let file = file.take() else { return nil }
        isRemoved = true
        return file
    }

    /// Notes that the file is removed.
    ///
    /// - Returns: The file to remove, unless it was moved.
    mutating func removeFile() -> URL? {
        isRemoved = true
        return file?.url
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation

/// What has arrived of a response. It belongs to a transaction, whose lock is held on every access.
struct ReceivedResponse {
    private let isDownload: Bool
    private let makeFile: @Sendable () throws -> DownloadedFile

    /// Whether the response may lead to another request, so that its bytes are not counted yet: its head says so, or none has come.
    var isWithheld = true
    private(set) var data = Data()
    var count: Int64 = 0
    var file: DownloadedFile?

    /// The length of a file that is resumed, with the bytes that were there before.
    var wholeCount: Int64?

    /// Why the bytes that arrive cannot be put behind the kept ones.
    var errorOfContinuing: (any Error)?

    /// Whether a head has said what becomes of the kept file. A `URLProtocol` may give several heads.
    var hasContinued = false

    /// Whether the file was removed. What arrives later makes no other one.
    private var isRemoved = false

    init(isDownload: Bool, makingFile makeFile: @escaping @Sendable () throws -> DownloadedFile) {
        self.isDownload = isDownload
        self.makeFile = makeFile
    }

    /// Keeps bytes: in memory, or in the file of a download.
    ///
    /// - Throws: The reason why a file cannot be made, or written.
    mutating func keep(_ bytes: Data) throws {
        if isDownload { try fileToWrite().append(bytes) } else { data.append(bytes) }
        count += Int64(bytes.count)
    }

    /// Keeps bytes in memory, while it is not known whether they are wanted.
    mutating func holdBack(_ bytes: Data) {
        data.append(bytes)
        count += Int64(bytes.count)
    }

    /// Keeps what was held back where it belongs.
    ///
    /// - Throws: The reason why a file cannot be made, or written.
    mutating func release() throws {
        if isDownload, !data.isEmpty { try fileToWrite().append(takeData()) }
    }

    /// Takes the bytes that are in memory.
    mutating func takeData() -> Data {
        defer { data = Data() }
        return data
    }

    // MARK: The file of a download

    /// The file, which is made if there is none.
    mutating func fileToWrite() throws -> DownloadedFile {
        if let errorOfContinuing { throw errorOfContinuing }
        guard !isRemoved else { throw URLError(.cancelled) }
        let file = try file ?? makeFile()
        self.file = file
        return file
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

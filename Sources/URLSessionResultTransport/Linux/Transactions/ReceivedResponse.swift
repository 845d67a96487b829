#if canImport(FoundationNetworking)

import Foundation

/// What has arrived of a response. It belongs to a transaction, whose lock is held on every access.
struct ReceivedResponse {
    /// How far the head of a stream's response has got.
    enum HeadState {
        case missing

        /// It may be that of a challenge. It is given to the receiver after some time, or some bytes.
        case heldBack

        /// A delegate decides whether another request follows. It is given if none does.
        case judged
        case given
    }

    /// Where bytes are, with their number so far.
    enum Kept {
        case counted(Int64)

        /// They are counted at the end if no other request follows (`Transfer.countWithheldBytes`).
        case withheld
        case heldBack(Int)
        case passedOn
    }

    private let isStream: Bool
    private let isDownload: Bool
    private let makeFile: @Sendable () throws -> DownloadedFile

    var headState = HeadState.missing

    /// Whether another request may follow, as far as the head says, or because none was announced.
    var isWithheld = true
    private(set) var data = Data()
    var count: Int64 = 0
    var file: DownloadedFile?

    /// The length of a file that is resumed, with the bytes that were there before.
    var wholeCount: Int64?

    /// Why the bytes that arrive cannot be put behind those.
    var errorOfContinuing: (any Error)?

    /// Whether a head has said what becomes of the kept file. A `URLProtocol` may give several heads.
    var hasContinued = false

    /// Whether the file was removed. What arrives later makes no other one.
    private var isRemoved = false

    init(isStream: Bool, isDownload: Bool, makingFile makeFile: @escaping @Sendable () throws -> DownloadedFile) {
        self.isStream = isStream
        self.isDownload = isDownload
        self.makeFile = makeFile
    }

    /// Keeps bytes: in memory, or in the file of a download. Those of a stream are only counted, unless it is held back.
    ///
    /// - Throws: The reason why a file cannot be made, or written.
    mutating func keep(_ bytes: Data) throws -> Kept {
        if isDownload {
            try fileToWrite().append(bytes)
        } else if !isStream || headState == .heldBack {
            data.append(bytes)
        }
        // Workaround: byteCounts
        count += Int64(bytes.count)
        if isStream, headState != .heldBack { return .passedOn }
        if isStream { return .heldBack(data.count) }
        return isWithheld ? .withheld : .counted(count)
    }

    /// Notes that the receiver of a stream is given the head.
    ///
    /// - Returns: The bytes that were held back, or nil if the head was given before.
    mutating func takeHeldBack() -> Data? {
        guard headState != .given else { return nil }
        headState = .given
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

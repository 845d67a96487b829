#if canImport(FoundationNetworking)

import Foundation

/// A file that is read at any position, with the length that it had when it was opened.
///
/// A file that was removed or replaced is still read. If it grows, its end stays where it was; if it shrinks, reading fails.
final class OpenFile: Sendable {
    let url: URL
    let length: Int
    private let handle: FileHandle

    /// - Throws: A `CocoaError` if the file cannot be read, or is no regular file.
    init(_ url: URL) throws {
        self.url = url
        do {
            let descriptor = try SystemCalls.openFile(at: url.path)
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        } catch {
            throw CocoaError(error.readingCode, userInfo: [NSURLErrorKey: url, NSUnderlyingErrorKey: error])
        }
        guard let length = SystemCalls.lengthOfRegularFile(handle.fileDescriptor) else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url])
        }
        self.length = length
    }

    /// The bytes of a range, which is within the file.
    ///
    /// - Throws: `URLError.requestBodyStreamExhausted` if the file has shrunk, or a `CocoaError`.
    func contents(of range: Range<Int>) throws -> Data {
        var data = Data(count: range.count)
        guard !range.isEmpty else { return data }
        try data.withUnsafeMutableBytes { bytes in try read(bytes, at: range.lowerBound) }
        return data
    }

    func contents() throws -> Data { try contents(of: 0..<length) }

    private func read(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) throws {
        do {
            guard try SystemCalls.read(bytes, of: handle.fileDescriptor, at: position) == bytes.count else {
                throw URLError(.requestBodyStreamExhausted)
            }
        } catch let error as POSIXError {
            throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url, NSUnderlyingErrorKey: error])
        }
    }
}

extension POSIXError {
    fileprivate var readingCode: CocoaError.Code {
        switch code {
        case .ENOENT, .ENOTDIR: .fileReadNoSuchFile
        case .EACCES, .EPERM: .fileReadNoPermission
        default: .fileReadUnknown
        }
    }
}

#endif

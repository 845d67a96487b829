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

    /// Fills memory with the bytes at a position, which is before the end.
    ///
    /// - Throws: `URLError.requestBodyStreamExhausted` if the file has shrunk, or a `CocoaError`.
    func read(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) throws {
        do {
            guard try SystemCalls.readAvailable(bytes, of: handle.fileDescriptor, at: position) == bytes.count else {
                throw URLError(.requestBodyStreamExhausted)
            }
        } catch let error as POSIXError {
            throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url, NSUnderlyingErrorKey: error])
        }
    }

    func contents() throws -> Data {
        var data = Data(count: length)
        guard length > 0 else { return data }
        try data.withUnsafeMutableBytes { bytes in try read(bytes, at: 0) }
        return data
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

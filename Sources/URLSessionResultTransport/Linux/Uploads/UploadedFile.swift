#if canImport(FoundationNetworking)

import Foundation

/// A file that is read at any position, with the length that it had when it was opened.
///
/// A file that was removed or replaced is still read. If it grows, its end stays where it was; if it shrinks, reading fails.
final class UploadedFile: Sendable {
    let url: URL
    let length: Int
    private let handle: FileHandle

    /// - Throws: A `CocoaError` if the file cannot be read, or is no regular file.
    init(_ url: URL) throws {
        self.url = url
        do {
            handle = try SystemCalls.openFile(at: url.path)
        } catch {
            throw error.reading(url)
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
        let data: Data
        do {
            data = try handle.bytes(in: range)
        } catch {
            throw error.reading(url)
        }
        guard data.count == range.count else { throw URLError(.requestBodyStreamExhausted) }
        return data
    }

    func contents() throws -> Data { try contents(of: 0..<length) }
}

#endif

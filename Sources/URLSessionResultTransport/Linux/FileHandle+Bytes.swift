#if canImport(FoundationNetworking)

import Foundation

extension FileHandle {
    /// The bytes of a range, or fewer if the file ends before. The position of the handle does not matter, and stays.
    func bytes(in range: Range<Int>) throws(POSIXError) -> Data {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 1)
        do {
            let count = try SystemCalls.read(bytes, of: fileDescriptor, at: range.lowerBound)
            return bytes.data(count)
        } catch {
            bytes.deallocate()
            throw error
        }
    }
}

#endif

import Foundation

extension FileHandle {
    /// The next bytes, as many as are at hand, or none at the end.
    func nextBytes(upTo count: Int) throws(POSIXError) -> Data {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        do {
            let count = try SystemCalls.readNext(bytes, of: fileDescriptor)
            return bytes.data(count)
        } catch {
            bytes.deallocate()
            throw error
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first bytes of this memory, which the data owns from now on.
    ///
    /// `Data` copies few bytes and frees the memory at once. So it is made after the bytes were read.
    func data(_ count: Int) -> Data {
        guard let start = baseAddress else { return Data() }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { bytes, _ in bytes.deallocate() })
    }
}

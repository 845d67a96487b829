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
    /// `Data` copies a few bytes and gives the memory back at once, so it is made when they are there.
    func data(_ count: Int) -> Data {
        guard let start = baseAddress else { return Data() }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { bytes, _ in bytes.deallocate() })
    }
}

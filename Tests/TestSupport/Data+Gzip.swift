import Foundation

extension Data {
    /// The bytes in the format of gzip, in blocks that are not compressed: a little longer (RFC 1951 and 1952).
    var inGzip: Data {
        let longestBlock = 65_535
        var gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        var rest = self[...]
        repeat {
            let block = rest.prefix(longestBlock)
            rest = rest.dropFirst(longestBlock)
            gzip.append(rest.isEmpty ? 1 : 0 as UInt8)
            gzip.append(number: UInt16(block.count))
            gzip.append(number: ~UInt16(block.count))
            gzip.append(block)
        } while !rest.isEmpty
        gzip.append(number: checksum)
        gzip.append(number: UInt32(count))
        return gzip
    }

    /// The CRC-32 of the bytes.
    private var checksum: UInt32 {
        let table = (0..<256 as Range<UInt32>).map { index in
            (0..<8).reduce(index) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
        }
        return ~reduce(UInt32.max) { value, byte in table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    }

    /// Appends a number, the least significant byte first.
    private mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

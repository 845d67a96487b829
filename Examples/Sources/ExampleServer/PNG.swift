import Foundation

/// Makes pictures without a picture library: a PNG file (RFC 2083) whose pixels are stored, not compressed.
struct PNG {
    let data: Data

    /// Draws a gradient between two hues that follow from the seed, the same bytes every time.
    static func gradient(width: Int, height: Int, seed: String) -> PNG {
        let hue = seed.utf8.reduce(7) { ($0 * 31 + Int($1)) % 256 }
        var rows = Data(capacity: height * (1 + width * 3))
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                rows.append(UInt8(hue))
                rows.append(UInt8(x * 255 / width))
                rows.append(UInt8(y * 255 / height))
            }
        }
        return PNG(data: encode(width: width, height: height, rows: rows))
    }

    private static func encode(width: Int, height: Int, rows: Data) -> Data {
        let eightBitRGB: [UInt8] = [8, 2, 0, 0, 0]
        return Data([0x89]) + Data("PNG\r\n".utf8) + Data([0x1A, 0x0A])
            + chunk("IHDR", UInt32(width).bytes + UInt32(height).bytes + eightBitRGB)
            + chunk("IDAT", stored(rows))
            + chunk("IEND", Data())
    }

    private static func chunk(_ type: String, _ content: Data) -> Data {
        let body = Data(type.utf8) + content
        return UInt32(content.count).bytes + body + crc32(body).bytes
    }

    /// A zlib stream (RFC 1950) of stored deflate blocks (RFC 1951, 3.2.4), each at most 65,535 bytes long.
    private static func stored(_ content: Data) -> Data {
        var stream = Data([0x78, 0x01])
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let end = min(start + 65_535, content.count)
            let length = UInt16(end - start)
            stream.append(end == content.count ? 1 : 0)
            stream.append(contentsOf: [UInt8(length & 0xFF), UInt8(length >> 8)])
            stream.append(contentsOf: [UInt8(~length & 0xFF), UInt8(~length >> 8)])
            stream.append(content[start..<end])
        }
        return stream + adler32(content).bytes
    }

    private static func adler32(_ content: Data) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc32(_ content: Data) -> UInt32 {
        ~content.reduce(~0) { crc, byte in crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(index) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
    }
}

extension UInt32 {
    fileprivate var bytes: Data { withUnsafeBytes(of: bigEndian) { Data($0) } }
}

import Foundation

/// A PNG file (RFC 2083), made without an image library. Its pixels are stored, not compressed.
struct PNG {
    let data: Data

    /// An image of a few megabytes, made once.
    static let photograph = gradient(width: 1280, height: 960, seed: "photograph")

    /// Draws a gradient. The seed decides the hue. The same seed gives the same bytes.
    static func gradient(width: Int, height: Int, seed: String) -> PNG {
        let hue = seed.utf8.reduce(7) { ($0 &* 31) ^ $1 }
        let reds = (0..<width).map { UInt8($0 * 255 / width) }
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + width * 3))
        for y in 0..<height {
            let green = UInt8(y * 255 / height)
            rows.append(0)
            rows += reds.flatMap { [$0, green, hue] }
        }
        return PNG(width: width, height: height, rows: rows)
    }

    private init(width: Int, height: Int, rows: [UInt8]) {
        let eightBitRGB: [UInt8] = [8, 2, 0, 0, 0]
        var file: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]
        file += Self.chunk("IHDR", UInt32(width).bytes + UInt32(height).bytes + eightBitRGB)
        file += Self.chunk("IDAT", Self.stored(rows))
        file += Self.chunk("IEND", [])
        data = Data(file)
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return UInt32(content.count).bytes + body + crc32(body).bytes
    }

    /// A zlib stream (RFC 1950) of stored deflate blocks (RFC 1951, section 3.2.4), each at most 65,535 bytes long.
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let block = content[start..<min(start + 65_535, content.count)]
            let length = UInt16(block.count)
            stream.append(block.endIndex == content.count ? 1 : 0)
            stream += [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            stream += block
        }
        return stream + adler32(content).bytes
    }

    private static func adler32(_ content: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low &+ UInt32(byte)) % 65_521
            high = (high &+ low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc32(_ content: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in content {
            crc = crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8)
        }
        return ~crc
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(index) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

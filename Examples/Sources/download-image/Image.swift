import Foundation

/// What the header of an image file says about the image.
struct Image {
    let format: String
    let width: Int
    let height: Int
    let byteCount: Int

    /// Reads the header of a PNG or JPEG file. The image is `nil` for any other data.
    init?(data: Data) {
        var header = Header(data: data)
        guard let (format, width, height) = header.readPNG() ?? header.readJPEG(), width > 0, height > 0 else {
            return nil
        }
        self.format = format
        self.width = width
        self.height = height
        byteCount = data.count
    }
}

private struct Header {
    let data: Data
    var position = 0

    init(data: Data) {
        self.data = data
    }

    /// RFC 2083: a signature of eight bytes, then a chunk that begins with the width and the height in four bytes each.
    mutating func readPNG() -> (format: String, width: Int, height: Int)? {
        position = 0
        guard
            read(4) == 0x8950_4E47, read(4) == 0x0D0A_1A0A, read(4) == 13, read(4) == 0x4948_4452,
            let width = read(4), let height = read(4)
        else { return nil }
        return ("PNG", width, height)
    }

    /// ITU-T T.81, annex B: segments with their lengths. The segment that starts a frame has the height and the width.
    mutating func readJPEG() -> (format: String, width: Int, height: Int)? {
        position = 0
        guard read(2) == 0xFFD8 else { return nil }
        while let marker = read(2), marker >> 8 == 0xFF, let length = read(2), length >= 2 {
            if Self.startOfFrame.contains(marker) {
                position += 1
                guard let height = read(2), let width = read(2) else { return nil }
                return ("JPEG", width, height)
            }
            position += length - 2
        }
        return nil
    }

    /// C0 to CF, except DHT, DAC and the reserved JPG.
    private static let startOfFrame = Set(0xFFC0...0xFFCF).subtracting([0xFFC4, 0xFFC8, 0xFFCC])

    /// Reads a big-endian number.
    private mutating func read(_ count: Int) -> Int? {
        let bytes = data.dropFirst(position).prefix(count)
        guard bytes.count == count else { return nil }
        position += count
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

import Foundation

extension Data {
    /// Bytes in which a block that is missing or in the wrong place shows, made quickly in a debug build, too.
    static func blocks(_ count: UInt8, ofSize size: Int) -> Data {
        (0..<count).reduce(into: Data()) { $0 += Data(repeating: $1, count: size) }
    }
}

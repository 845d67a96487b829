import Foundation

/// The names beside a destination that a download to it uses.
struct DownloadNames {
    /// The part of the file that has arrived.
    let part: URL

    /// The file that says which version of the destination the part belongs to.
    let version: URL

    /// The file that is locked while the download runs.
    ///
    /// `a.part` is the part of `a`, and may be the destination of another download. So `a`, `a.part` and `a.part-version` have one
    /// lock.
    let lock: URL

    /// - Throws: A `CocoaError` if the destination has the name of a lock.
    init(of destination: URL) throws {
        guard !destination.lastPathComponent.hasSuffix(lockSuffix) else {
            throw CocoaError(.fileWriteInvalidFileName, userInfo: [NSURLErrorKey: destination])
        }
        let folder = destination.deletingLastPathComponent()
        let name = destination.lastPathComponent
        part = folder.appendingPathComponent(name.shortened + partSuffix)
        version = folder.appendingPathComponent(name.shortened + versionSuffix)
        lock = folder.appendingPathComponent(name.withoutSuffixes.shortened + lockSuffix)
    }
}

private let partSuffix = ".part"
private let versionSuffix = ".part-version"
private let lockSuffix = ".part-lock"

/// The longest name of a file, in bytes of UTF-8, as Linux and APFS have it.
private let longestName = 255

extension String {
    /// The name, or its beginning with a hash if it has no room for a suffix.
    fileprivate var shortened: String {
        let room = longestName - versionSuffix.utf8.count
        guard utf8.count > room else { return self }
        let hash = "-" + String(utf8.hashForFile, radix: 16)
        var beginning = unicodeScalars.prefix(room - hash.utf8.count)
        while beginning.reduce(0, { $0 + UTF8.width($1) }) > room - hash.utf8.count { beginning.removeLast() }
        return String(beginning) + hash
    }

    /// The name of the destination whose download may use this name.
    fileprivate var withoutSuffixes: String {
        for suffix in [partSuffix, versionSuffix] where hasSuffix(suffix) && count > suffix.count {
            return String(dropLast(suffix.count)).withoutSuffixes
        }
        return self
    }
}

extension Sequence<UInt8> {
    /// A hash that is the same in each process (FNV-1a).
    var hashForFile: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

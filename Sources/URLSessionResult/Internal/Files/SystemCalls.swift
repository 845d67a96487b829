import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
#error("URLSessionResult needs the C library of Apple's platforms (Darwin), of Linux (Glibc or Musl) or of Android.")
#endif

/// What the library asks of the system's C library.
///
/// No other file calls it: its module has another name on each platform, and Foundation does not re-export it on all of them.
enum SystemCalls {
    /// Renames a file in one step. An existing file of the new name is replaced.
    static func renameFile(at path: String, to newPath: String) throws(POSIXError) {
        guard rename(path, newPath) == 0 else { throw POSIXError.latest }
    }

    /// Why the process may not create files in a folder, or nil if it may.
    static func reasonAgainstCreatingFiles(in folder: String) -> POSIXErrorCode? {
        access(folder, W_OK) == 0 ? nil : POSIXError.latest.code
    }

    /// The system's English sentence for an error, such as "Permission denied".
    static func message(for code: POSIXErrorCode) -> String {
        String(cString: strerror(code.rawValue))
    }
}

extension UnsafeRawBufferPointer {
    /// Finds the first character of ASCII in a range. The system compares many bytes at once.
    func firstPosition(of character: Unicode.Scalar, in range: Range<Int>) -> Int? {
        guard let start = baseAddress,
            let found = memchr(start + range.lowerBound, CInt(bitPattern: character.value), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }
}

extension POSIXError {
    /// Why the latest call failed. Read it before you call anything else.
    static var latest: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

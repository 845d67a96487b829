#if os(Linux)

import Foundation

/// Something that the library promises on Linux.
struct Promise: Sendable {
    let name: String

    /// Finds out whether it is kept.
    ///
    /// - Throws: `BrokenPromise`, or another error, if it is not.
    let check: @Sendable () async throws -> Void

    init(_ name: String, check: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }

    static let all =
        waits + nameServers + trailers + unaskedResponses + uploads + streams + certificates + digests + timeouts
        + hosts + proxies + metrics + slowReaders
        + faults
}

/// Why a promise is not kept, as a part of a sentence.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// - Throws: `BrokenPromise` if the condition does not hold.
func require(_ condition: Bool, otherwise description: @autoclosure () -> String) throws(BrokenPromise) {
    if !condition { throw BrokenPromise(description()) }
}

#endif

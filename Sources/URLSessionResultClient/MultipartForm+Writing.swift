import Foundation
internal import URLSessionResultTransport

// `Internal/MultipartForm+Body.swift` makes the bytes.

extension MultipartForm {
    /// Returns the form as it is sent, for a signature or for a task of your own, whose `Content-Type` is ``contentType``.
    ///
    /// It is the same each time. Files and pipes are read on a thread of their own, whole. Cancelling the Swift task ends that at once.
    ///
    /// - Returns: The bytes.
    /// - Throws: `NetworkError.transportError`, for example with the `CocoaError` of a file that cannot be read.
    @concurrent
    public func data() async throws(NetworkError) -> Data {
        try await FileReader.reading { reader in
            var data = Data()
            try giveBody(reading: reader) { data.append($0) }
            return data
        }
    }

    /// Writes the form as it is sent to a file that only this user may open, for an upload task in a background session, for example,
    /// whose `Content-Type` is ``contentType``.
    ///
    /// The file appears whole or not at all: missing folders are created, and an existing file is replaced in one step. It is written
    /// on a thread of its own, with little memory. Cancelling the Swift task ends that at once.
    ///
    /// - Parameter file: The file to write. Remove it when it is sent.
    /// - Returns: The size in bytes.
    /// - Throws: `NetworkError.transportError`, for example with the `CocoaError` of a file that cannot be read or written.
    @concurrent @discardableResult
    public func write(to file: URL) async throws(NetworkError) -> Int64 {
        try await FileReader.reading { reader in
            try file.replaced { output in
                var count: Int64 = 0
                try giveBody(reading: reader) { piece in
                    // A form may have gigabytes, so what each piece leaves behind is released at once.
                    try autoreleasepool { try output.write(contentsOf: piece) }
                    count += Int64(piece.count)
                }
                return count
            }
        }
    }
}

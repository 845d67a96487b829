import Foundation
internal import URLSessionResultTransport

extension MultipartForm {
    /// Sends the form by a function, as a temporary file that only this user may open.
    ///
    /// - Parameters:
    ///   - request: The request. Its content type is that of the form.
    ///   - send: A function that sends a request with the file.
    /// - Returns: What the function returns, or the error of the file system.
    func sent<Success>(
        by request: URLRequest, _ send: (URLRequest, URL) async -> Result<Success, NetworkError>
    ) async -> Result<Success, NetworkError> {
        guard request.url != nil else { return .failure(.transportError(code: .badURL)) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { SystemCalls.removeName(file.path) }
        do throws(NetworkError) {
            try await write(to: file)
        } catch {
            return .failure(error)
        }
        var request = request
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return await send(request, file)
    }

    /// Gives the body piece by piece.
    func giveBody(reading reader: FileReader, _ take: (Data) throws -> Void) throws {
        for part in parts {
            try reader.check()
            for content in part.contents {
                try take(Data("--\(boundary)\r\n\(part.head)".utf8))
                switch content {
                case .data(let data): try take(data)
                case .file(let file): try reader.read(file, take)
                }
                try take(Data("\r\n".utf8))
            }
        }
        try take(Data("--\(boundary)--\r\n".utf8))
    }
}

extension FileReader {
    /// Calls a function on a thread of its own, as `onThread(_:)` does.
    ///
    /// - Throws: `NetworkError.transportError` with the error of the function.
    static func reading<T: Sendable>(
        _ body: @escaping @Sendable (FileReader) throws -> T
    ) async throws(NetworkError) -> T {
        do { return try await onThread(body) } catch { throw .transportError(error) }
    }
}

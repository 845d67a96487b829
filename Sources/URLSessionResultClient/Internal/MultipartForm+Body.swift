import Foundation

extension MultipartForm {
    /// The whole body.
    func data() throws -> Data {
        var body = Data()
        try write { body.append($0) }
        return body
    }

    /// Sends the form by a function, as a temporary file.
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
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            try write(to: file)
        } catch {
            return .failure(.transportError(error))
        }
        var request = request
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return await send(request, file)
    }

    /// Writes the body to a new file that only this user may open.
    private func write(to file: URL) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        try write { try output.write(contentsOf: $0) }
    }

    /// Gives the body piece by piece.
    private func write(_ write: (Data) throws -> Void) throws {
        for part in parts {
            try write(Data("--\(boundary)\r\n\(part.head)".utf8))
            try part.content.write(write)
            try write(Data("\r\n".utf8))
        }
        try write(Data("--\(boundary)--\r\n".utf8))
    }
}

extension MultipartForm.Part.Content {
    /// Gives the content in pieces of at most 1 MiB of a file.
    fileprivate func write(_ write: (Data) throws -> Void) throws {
        switch self {
        case .data(let data):
            try write(data)
        case .file(let file):
            let input = try FileHandle(forReadingFrom: file)
            defer { try? input.close() }
            while try autoreleasepool(invoking: { try writePiece(of: input, write) }) {}
        }
    }

    /// Gives the next piece of a file. Returns false at its end.
    private func writePiece(of input: FileHandle, _ write: (Data) throws -> Void) throws -> Bool {
        // The file may have gigabytes.
        guard !Task.isCancelled else { throw URLError(.cancelled) }
        guard let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty else { return false }
        try write(piece)
        return true
    }
}

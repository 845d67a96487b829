import FlyingFox
import Foundation

/// A photograph and uploaded files, on a bad line: each response breaks off after 1.5 MB, and the rest has to be requested with
/// `Range`.
struct FilesHandler {
    /// It is created when it is needed first.
    let folder: URL

    private var photograph: URL { folder.appending(component: "photograph.png") }

    /// `GET /image.png`: the photograph, on a good line.
    func image(_ request: HTTPRequest) async throws -> HTTPResponse {
        try createFolder()
        return try await FileHTTPHandler(path: photograph, contentType: "image/png").handleRequest(request)
    }

    /// `GET /files`
    func list(_ request: HTTPRequest) throws -> HTTPResponse {
        try createFolder()
        let urls = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey], options: .skipsHiddenFiles)
        let files = try urls.map { url in
            File(name: url.lastPathComponent, size: try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
        }
        return try .json(files.sorted { $0.name < $1.name })
    }

    /// `POST /files`, with a form that has a file.
    func upload(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A name must not lead to another folder.
        guard let (name, content) = try await request.uploadedFile, !name.hasPrefix("."), !name.contains("/") else {
            return try .json(["error": "The body has no file with a name that can be used."], .badRequest)
        }
        try createFolder()
        try content.write(to: folder.appending(component: name), options: .atomic)
        return try .json(File(name: name, size: content.count), .created)
    }

    /// `GET /files/<name>?interval=<seconds>`: a file, or the rest of it, with a pause after each 100 kB.
    func download(_ request: HTTPRequest) async throws -> HTTPResponse {
        try createFolder()
        guard let name = request.routeParameters["name"], !name.hasPrefix(".") else {
            return HTTPResponse(statusCode: .notFound)
        }
        let file = folder.appending(component: name)
        var response = try await FileHTTPHandler(path: file, contentType: "application/octet-stream")
            .handleRequest(request)
        // FlyingFox sends none if the path has a space, and without one a client does not ask for the rest. One tag is
        // enough, because no program replaces a file.
        response.headers[.eTag] = "\"1\""
        let content = try await response.bodyData
        let sent = content.prefix(1_500_000)
        let body = PacedBody(
            pieces: stride(from: 0, to: sent.count, by: 100_000).map { sent.dropFirst($0).prefix(100_000) },
            pause: request.interval(default: 0.05), breaksOff: sent.count < content.count)
        response.payload = .httpBody(HTTPBodySequence(from: body, count: content.count))
        return response
    }

    /// Creates the folder with the photograph. This is a small image and zeros, which image viewers ignore, so that there is something
    /// to download without a large file in the repository.
    private func createFolder() throws {
        guard !FileManager.default.fileExists(atPath: photograph.path) else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var content = try Data(contentsOf: SampleData.url(of: "photograph.png"))
        content.count = 3_687_708
        try content.write(to: photograph, options: .atomic)
    }
}

private struct File: Encodable {
    let name: String
    let size: Int
}

extension HTTPRequest {
    /// The name and the content of the first file in a form (RFC 7578).
    fileprivate var uploadedFile: (name: String, content: Data)? {
        get async throws {
            let body = try await bodyData
            guard
                let boundary = headers[.contentType]?.firstMatch(of: /boundary="?([^"]+)/)?.1,
                let nameStart = body.range(of: Data("filename=\"".utf8))?.upperBound,
                let nameEnd = body[nameStart...].firstIndex(of: UInt8(ascii: "\"")),
                let start = body[nameEnd...].range(of: Data("\r\n\r\n".utf8))?.upperBound,
                let end = body[start...].range(of: Data("\r\n--\(boundary)".utf8))?.lowerBound
            else { return nil }
            return (String(decoding: body[nameStart..<nameEnd], as: UTF8.self), body[start..<end])
        }
    }
}

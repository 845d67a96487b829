import FlyingFox
import Foundation

/// Files, on a bad line: each response breaks off after 1.5 MB, and what follows has to be requested with `Range`.
struct FilesHandler {
    let folder: FileFolder

    /// `GET /files`
    func list(_ request: HTTPRequest) throws -> HTTPResponse {
        let files = try folder.names().map { name -> JSON in
            ["name": .string(name), "size": .number(Decimal(try folder.file(named: name)?.content.count ?? 0))]
        }
        return try .json(.array(files))
    }

    /// `POST /files`, with a form that has the fields `modified`, in seconds since 1970, and `file`.
    func upload(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await MultipartForm(request.bodyData, contentType: request.headers[.contentType] ?? "")
        guard let file = form?["file"], let name = file.fileName,
            let modified = (form?["modified"]).flatMap({ Double(String(decoding: $0.content, as: UTF8.self)) })
        else { throw ErrorResponse(.badRequest, "The body is not a form with the fields modified and file.") }
        guard FileFolder.isValid(name) else { throw ErrorResponse(.badRequest, "A file cannot have this name.") }
        try folder.save(file.content, named: name, modified: Date(timeIntervalSince1970: modified))
        return try .json(["name": .string(name), "size": .number(Decimal(file.content.count))], .created)
    }

    /// `GET /files/<name>?interval=<seconds>`: a file, or the rest of it (RFC 9110, section 14), with a pause after each
    /// 100 kB.
    func download(_ request: HTTPRequest) throws -> HTTPResponse {
        guard let file = try folder.file(named: request.routeParameters["name"] ?? "") else {
            throw ErrorResponse(.notFound, "There is no such file.")
        }
        let start = request.start(inFileTagged: file.tag)
        let total = file.content.count
        guard start < max(total, 1) else {
            let headers: HTTPHeaders = [HTTPHeader("Content-Range"): "bytes */\(total)"]
            throw ErrorResponse(.rangeNotSatisfiable, "The file has \(total) bytes.", headers: headers)
        }
        var headers: HTTPHeaders = [.contentType: "application/octet-stream", HTTPHeader("ETag"): file.tag]
        if start > 0 { headers[HTTPHeader("Content-Range")] = "bytes \(start)-\(total - 1)/\(total)" }
        let rest = file.content.dropFirst(start)
        let pieces = rest.prefix(1_500_000).pieces(of: 100_000)
        let body = PacedBody(
            pieces: pieces, pause: request.interval(default: 0.05), breaksOff: rest.count > 1_500_000)
        return HTTPResponse(
            statusCode: start > 0 ? .partialContent : .ok, headers: headers,
            body: HTTPBodySequence(from: body, count: rest.count))
    }
}

extension HTTPRequest {
    /// The first byte that is wanted: 0, unless the request has `Range: bytes=<start>-` for this version of the file.
    fileprivate func start(inFileTagged tag: String) -> Int {
        let version = headers[HTTPHeader("If-Range")] ?? tag
        guard version == tag, let range = headers[HTTPHeader("Range")]?.wholeMatch(of: /bytes=(\d+)-/) else { return 0 }
        return Int(range.1) ?? 0
    }
}

extension Data {
    fileprivate func pieces(of size: Int) -> [Data] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}

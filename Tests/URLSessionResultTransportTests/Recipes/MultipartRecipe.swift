import Foundation
import Testing
import URLSessionResult

// snippet.multipart
/// A body of `multipart/form-data` (RFC 7578) that is put together in a
/// file.
nonisolated struct MultipartFile {
    let url: URL
    private let boundary = UUID().uuidString
    private let output: FileHandle

    var contentType: String {
        "multipart/form-data; boundary=\(boundary)"
    }

    init(at url: URL) throws {
        try Data().write(to: url)
        self.url = url
        output = try FileHandle(forWritingTo: url)
    }

    func add(_ name: String, _ value: String) throws {
        try begin("name=\(quoted(name))")
        try write("\r\n\(value)\r\n")
    }

    /// Adds a file in pieces, so that a large one fits in memory.
    func add(_ name: String, file: URL, contentType: String) throws {
        let fileName = quoted(file.lastPathComponent)
        try begin("name=\(quoted(name)); filename=\(fileName)")
        try write("Content-Type: \(contentType)\r\n\r\n")
        let input = try FileHandle(forReadingFrom: file)
        defer { try? input.close() }
        while let piece = try input.read(upToCount: 1 << 20),
            !piece.isEmpty
        {
            try output.write(contentsOf: piece)
        }
        try write("\r\n")
    }

    func end() throws {
        try write("--\(boundary)--\r\n")
        try output.close()
    }

    private func begin(_ disposition: String) throws {
        try write("--\(boundary)\r\n")
        try write("Content-Disposition: form-data; \(disposition)\r\n")
    }

    private func write(_ text: String) throws {
        try output.write(contentsOf: Data(text.utf8))
    }

    /// Escapes what would end the name, as browsers do.
    private func quoted(_ name: String) -> String {
        let escapes = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
        let characters = name.unicodeScalars.map {
            escapes[String($0)] ?? String($0)
        }
        return "\"\(characters.joined())\""
    }
}

@concurrent
nonisolated func upload(
    cover: URL, titled title: String,
    to url: URL, in session: URLSession
) async throws {
    let folder = FileManager.default.temporaryDirectory
    let body = try MultipartFile(
        at: folder.appendingPathComponent(UUID().uuidString))
    defer { try? FileManager.default.removeItem(at: body.url) }
    try body.add("title", title)
    try body.add("cover", file: cover, contentType: "image/png")
    try body.end()

    var request = URLRequest(url: url, method: .post)
    request.setValue(
        body.contentType, forHTTPHeaderField: "Content-Type")
    try await session.uploadResult(
        for: request, fromFile: body.url, decoder: .ignored
    ).get()
}
// snippet.end

@Suite("Recipe: a form with a file", .inTurn)
struct MultipartRecipe {
    private let folder = TemporaryFolder()

    @Test("A multipart body has every part, with its file whole")
    func multipart() async throws {
        let server = try LoopbackServer(.ok())
        let file = folder.file("a\"\r\nb.png", Data(repeating: 7, count: 3 << 20))
        try await upload(cover: file, titled: "Blue", to: server.url(), in: URLSession(configuration: .ephemeral))
        let request = try #require(server.requests.first)
        let type = try #require(request.header("Content-Type"))
        let boundary = try #require(type.components(separatedBy: "boundary=").last)
        var expected = Data(
            ("--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nBlue\r\n--\(boundary)\r\n"
                + "Content-Disposition: form-data; name=\"cover\"; filename=\"a%22%0D%0Ab.png\"\r\n"
                + "Content-Type: image/png\r\n\r\n").utf8)
        expected += Data(repeating: 7, count: 3 << 20)
        expected += Data("\r\n--\(boundary)--\r\n".utf8)
        #expect(request.body == expected)
    }
}

import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

@Suite(.inTurn)
struct MultipartFormWritingTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    private func form(_ file: URL? = nil) -> MultipartForm {
        let file = file ?? folder.file("long", Data(repeating: 7, count: 3 << 20))
        return [.field("a", value: 1), .file("b", file), .data("c", Data("text".utf8))]
    }

    @Test(
        "The file, the bytes and what is sent are the same, and only this user may open the file",
        arguments: [true, false])
    func written(replaces: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let form = form()
        let file = replaces ? folder.file("form", Data("old".utf8)) : folder.file("a/b/form")
        let data = try await form.data()
        #expect(try await form.write(to: file) == Int64(data.count))
        #expect(try Data(contentsOf: file) == data)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).sorted()
                == (replaces ? ["form", "long"] : ["form"]))
        let request = URLRequest(url: server.url(), method: .post)
        try await session.uploadResult(for: request, form: form, decoder: .ignored).get()
        try await session.uploadResult(for: request, fromFile: file, decoder: .ignored).get()
        #expect(server.requests.map(\.body) == [data, data])
    }

    /// Why a form cannot be written.
    enum Reason: CaseIterable, Sendable { case missingPart, folderAsPart, cancellation, folderAsFile, noFileURL }

    @Test("A form that cannot be written is an error, and the file that was there stays", arguments: Reason.allCases)
    func failure(_ reason: Reason) async throws {
        let inside = folder.file("folder")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
        let part: URL =
            switch reason {
            case .missingPart: folder.file("missing")
            case .folderAsPart: inside
            case .cancellation: folder.pipe()
            default: folder.file("part", Data())
            }
        let file: URL =
            switch reason {
            case .folderAsFile: inside
            case .noFileURL: try #require(URL(string: "https://api.test/form"))
            default: folder.file("form", Data("old".utf8))
            }
        let form = form(part)
        let before = folder.contents
        let writing = Task { () throws(NetworkError) in try await form.write(to: file) }
        let reading = Task { () throws(NetworkError) in try await form.data() }
        if reason == .cancellation {
            writing.cancel()
            reading.cancel()
        }
        let error = await writing.result.error
        #expect(reason == .cancellation ? error?.isCancelled == true : error?.underlyingError is CocoaError)
        let hasGoodParts = [.folderAsFile, .noFileURL].contains(reason)
        #expect((await reading.result.error == nil) == hasGoodParts)
        #expect(folder.contents == before)
        if before.contains("form") { #expect(try Data(contentsOf: folder.file("form")) == Data("old".utf8)) }
    }

    @Test("A field without a value is left out, and a part without a content type has none")
    func leftOut() async throws {
        let year: Int? = nil
        let form: MultipartForm = [
            .field("a", value: year), .field("b", value: "text" as String?), .field("c", value: nil),
            .data("d", Data("bytes".utf8), contentType: nil),
            .file("e", folder.file("e", Data("file".utf8)), contentType: nil),
        ]
        let boundary = try #require(form.contentType.components(separatedBy: "boundary=").last)
        let disposition = "Content-Disposition: form-data; name="
        let parts = [
            "\(disposition)\"b\"\r\n\r\ntext", "\(disposition)\"d\"\r\n\r\nbytes",
            "\(disposition)\"e\"; filename=\"e\"\r\n\r\nfile",
        ]
        let expected = parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n"
        #expect(String(decoding: try await form.data(), as: UTF8.self) == expected)
        #expect(String(decoding: try await MultipartForm([]).data(), as: UTF8.self).hasPrefix("--"))
    }

    @Test("A form may replace one of its own files, and be written to one file by two at once")
    func sameFile() async throws {
        let file = folder.file("part", Data("old".utf8))
        let own: MultipartForm = [.file("a", file)]
        let data = try await own.data()
        try await own.write(to: file)
        #expect(try Data(contentsOf: file) == data)

        let form = form()
        async let first = form.write(to: file)
        async let second = form.write(to: file)
        let counts = try await [first, second]
        let written = try Data(contentsOf: file)
        #expect(counts == [Int64(written.count), Int64(written.count)])
        #expect(try await form.data() == written)
        #expect(folder.contents == ["long", "part"])
    }

    @Test("A form that waits for the writer of a pipe has the whole of what it writes", arguments: [true, false])
    func pipe(isInMemory: Bool) async throws {
        let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8) })
        let form = form(folder.pipe(giving: body))
        let file = folder.file("form")
        if !isInMemory { try await form.write(to: file) }
        let data = isInMemory ? try await form.data() : try Data(contentsOf: file)
        #expect(data.range(of: body) != nil)
    }

    /// In a process of its own, because a mask belongs to a process, and so does the folder for temporary files.
    @Test("Nobody else can ever open the temporary file of a form")
    func permissions() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            setenv("TMPDIR", folder.url.path, 1)
            umask(0)
            let isOver = Monitor(false)
            let (seen, open) = (Monitor(0), Monitor(0))
            let watcher = Task.detached {
                while !isOver.value {
                    // Foundation makes the folder left out once, empty, and closes it a moment later.
                    for name in folder.contents where name != "TemporaryItems" {
                        let path = folder.file(name).path
                        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
                        seen.withLock { $0 += 1 }
                        // On Apple's platforms, there is a folder around the file.
                        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
                        if mode & 0o077 != 0 { open.withLock { $0 += 1 } }
                    }
                    await Task.yield()
                }
            }
            let url = try #require(URL(string: "https://api.test"))
            let form: MultipartForm = [.data("a", Data(count: 1 << 20))]
            var count = 0
            while count < 400 || seen.value == 0 {
                count += 1
                let result = await form.sent(by: URLRequest(url: url)) { _, _ in .success(1) }
                #expect(result.error == nil)
            }
            isOver.withLock { $0 = true }
            await watcher.value
            #expect(open.value == 0)
        }
    }
}

extension Result {
    fileprivate var error: NetworkError? {
        if case .failure(let error) = self { error as? NetworkError } else { nil }
    }
}

#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What the system's table of mappings says of downloads.
@Suite(.inTurn)
struct MappedDownloadTests {
    private let session = URLSession(configuration: .forTests)

    @Test("A decoder reads the file memory-mapped, not a copy of it")
    func mapping() async throws {
        let server = try LoopbackServer(.zeros(5_000_000))
        let decoder = ResultDecoder { try Self.mapping(of: $0) }
        let mapping = try #require(await session.downloadResult(from: server.url(), decoder: decoder).get())
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        #expect(mapping.contains(folder), "anonymous memory: \(mapping)")
    }

    @Test("The error of a refused download keeps nothing of its file", arguments: [true, false])
    func refusedFile(progress: Bool) async throws {
        let server = try LoopbackServer(.status(500, Data(count: 5_000_000)))
        let result = await session.downloadResult(
            from: server.url(), to: TemporaryFolder().file(), progress: progress ? ignored : nil)
        let body = try #require(result.error?.response?.body)
        let mapping = try #require(try Self.mapping(of: body))
        #expect(!mapping.contains("/"), "mapped: \(mapping)")
    }

    /// The line of the system's table of mappings in which the bytes lie.
    private static func mapping(of data: Data) throws -> String? {
        let address = data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd() ?? Data()
        return String(decoding: maps, as: UTF8.self).split(separator: "\n").map(String.init).first { line in
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            return bounds[0]..<bounds[1] ~= address
        }
    }
}

#endif

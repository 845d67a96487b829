import Foundation
import TestSupport
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import sync_files

@Suite("A folder and a server in sync", .serialized)
struct FolderSyncTests {
    @Test("A plan has what one side lacks, except hidden files, folders and parts of downloads")
    func plan() async throws {
        let stub = SessionStub(.json(#"[{"name": "both", "size": 1}, {"name": "remote", "size": 2}]"#))
        try await withTemporaryFolder { folder in
            for name in ["both", "local", ".hidden", "remote.part", "remote.part-version"] {
                try Data("x".utf8).write(to: folder.appending(component: name))
            }
            try FileManager.default.createDirectory(
                at: folder.appending(component: "inner"), withIntermediateDirectories: false)
            let plan = try await FolderSync(folder: folder, server: folder, session: stub.session).plan()
            #expect(plan.uploads.map(\.lastPathComponent) == ["local"])
            #expect(plan.downloads == [RemoteFile(name: "remote", size: 2)])
        }
    }

    @Test("A file is received whole although the line breaks twice, and the progress never goes back")
    func download() async throws {
        try await withTemporaryFolder { folder in
            try await withExampleServer { root async throws in
                let sync = FolderSync(
                    folder: folder, server: root.appending(queryItems: [.init(name: "interval", value: "0")]))
                let file = try #require(try await sync.plan().downloads.first)
                let counts = Recorder<Int64>()
                try await sync.download(file) { counts.append($0.completedBytes) }
                let size = try Data(contentsOf: folder.appending(component: file.name)).count
                #expect(size == file.size && file.size > 3_000_000)
                #expect(counts.values == counts.values.sorted() && counts.values.last == Int64(size))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [file.name])
            }
        }
    }

    @Test("A file that was uploaded is on the server, with its content", arguments: ["note.txt", "ä b%.txt"])
    func upload(name: String) async throws {
        try await withTemporaryFolder { folder in
            try await withExampleServer { root async throws in
                let file = folder.appending(component: name)
                try Data("Ünï\r\n--\r\n".utf8).write(to: file)
                let sync = FolderSync(folder: folder, server: root)
                #expect(try await sync.upload(file) { _ in } == RemoteFile(name: name, size: 11))
                #expect(try await sync.plan().uploads.isEmpty)

                let copy = FolderSync(folder: folder.appending(component: "copy"), server: root)
                let remote = try #require(try await copy.plan().downloads.first { $0.name == name })
                try await copy.download(remote) { _ in }
                #expect(try Data(contentsOf: copy.folder.appending(component: name)) == Data(contentsOf: file))
            }
        }
    }

    @Test(
        "A name of the server that leads out of the folder is an error, and nothing is requested",
        arguments: ["../x", "", ".x"])
    func names(name: String) async throws {
        let stub = SessionStub(.response())
        let sync = FolderSync(folder: URL(filePath: "/"), server: URL(filePath: "/"), session: stub.session)
        await #expect(throws: InvalidName.self) {
            try await sync.download(RemoteFile(name: name, size: 1)) { _ in }
        }
        #expect(stub.requests.isEmpty)
    }
}

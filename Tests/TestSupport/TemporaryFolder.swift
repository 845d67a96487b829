import Foundation

/// A folder of its own for each test, gone when the value is.
final class TemporaryFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("A test needs a temporary folder: \(error)")
        }
    }

    deinit { remove() }

    /// Removes the folder. A process that ends before the value goes has to.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// A file in the folder, holding the contents if there are any.
    func file(_ name: String = "file", _ contents: Data? = nil) -> URL {
        let file = url.appendingPathComponent(name)
        if let contents, !FileManager.default.createFile(atPath: file.path, contents: contents) {
            preconditionFailure("A test needs the file \(file.path)")
        }
        return file
    }

    /// A pipe in the folder, which gives its contents to whoever reads it first.
    func pipe(giving contents: Data) -> URL {
        let pipe = pipe()
        pipe.give(contents)
        return pipe
    }

    /// A pipe in the folder, into which nobody writes yet.
    func pipe(_ name: String = "pipe") -> URL {
        let pipe = file(name)
        guard mkfifo(pipe.path, 0o600) == 0 else { preconditionFailure("A test needs the pipe \(pipe.path)") }
        return pipe
    }

    /// The names of everything in the folder, hidden files included.
    var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// Keeps the folder for as long as the body runs.
    func using<T: Sendable>(_ contents: Data? = nil, _ body: (URL) async -> T) async -> T {
        defer { withExtendedLifetime(self) {} }
        return await body(file("file", contents))
    }
}

extension URL {
    /// Writes into a pipe, as soon as somebody reads it.
    func give(_ contents: Data) {
        Thread.detachNewThread {
            guard let end = FileHandle(forWritingAtPath: path) else { return }
            end.write(contents)
            end.closeFile()
        }
    }
}

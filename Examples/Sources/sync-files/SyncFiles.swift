import ArgumentParser
import Foundation
import Terminal
import URLSessionResultClient

@main
struct SyncFiles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-files",
        abstract: "Uploads the files of a folder that a server lacks, and downloads those that the folder lacks.",
        discussion: "Press Control-C to stop. With --url, the next call continues the download."
    )

    @Argument(help: "The folder. It is created if there is none.")
    var folder: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var data: DataOption

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("The folder must have a name.") }
    }

    func run() async throws {
        try await server.connect(dataFile: data.file) { root in
            try await stoppingAtInterrupt {
                try await sync(FolderSync(folder: URL(filePath: folder), server: root))
            }
        }
    }

    private func sync(_ folder: FolderSync) async throws {
        let plan = try await folder.plan()
        for file in plan.uploads {
            let sent = try await withProgressBar { try await folder.upload(file, progress: $0) }
            print("Sent \(sent.name) (\(sent.size) bytes)")
        }
        for file in plan.downloads {
            try await withProgressBar { try await folder.download(file, progress: $0) }
            print("Received \(file.name) (\(file.size) bytes)")
        }
        if plan.uploads.isEmpty, plan.downloads.isEmpty { print("Nothing to do.") }
    }

    /// Shows the progress of a transfer, until it ends.
    private func withProgressBar<Value>(_ transfer: (@escaping ProgressHandler) async throws -> Value) async throws
        -> Value
    {
        let bar = ProgressBar()
        do {
            let value = try await transfer { if let fraction = $0.fractionCompleted { bar.show(fraction) } }
            bar.finish()
            return value
        } catch {
            bar.erase()
            throw error
        }
    }
}

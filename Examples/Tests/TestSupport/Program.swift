import Foundation

/// A program of this package, run as a process of its own.
package struct Program {
    package struct Outcome: Sendable {
        package let exitCode: Int32
        package let output: String
        package let errors: String
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - name: The name of its target.
    ///   - arguments: What it is given on the command line.
    /// - Returns: Its exit code and all that it wrote.
    /// - Throws: When it cannot be started.
    package static func run(_ name: String, _ arguments: String...) async throws -> Outcome {
        try await run(name, arguments)
    }

    /// Runs a program to its end with arguments made elsewhere, in a folder of its own or in the one that is given.
    package static func run(_ name: String, _ arguments: [String], in workingFolder: URL? = nil) async throws -> Outcome
    {
        try await run(process(name, arguments), in: workingFolder)
    }

    /// Runs a line of a shell to its end in a folder.
    package static func runShell(_ line: String, in folder: URL) async throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        return try await run(process, in: folder)
    }

    private static func run(_ process: Process, in workingFolder: URL?) async throws -> Outcome {
        try await withTemporaryFolder { folder in
            process.currentDirectoryURL = workingFolder ?? folder
            // Files, unlike pipes, take whatever is written without anybody reading at the same time.
            process.standardOutput = try FileHandle(creating: folder.appending(path: "output"))
            process.standardError = try FileHandle(creating: folder.appending(path: "errors"))
            process.standardInput = FileHandle.nullDevice
            try await process.runToEnd()
            return Outcome(
                exitCode: process.terminationStatus,
                output: try String(contentsOf: folder.appending(path: "output"), encoding: .utf8),
                errors: try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)
            )
        }
    }

    /// Starts a program that goes on until it is terminated.
    package static func start(_ name: String, _ arguments: String...) throws -> Started {
        let (process, output, errors) = (process(name, arguments), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let (ends, end) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        return Started(
            process: process, output: output.fileHandleForReading, errors: errors.fileHandleForReading, ends: ends)
    }

    /// A program that is running.
    package struct Started {
        package let process: Process
        package let output: FileHandle
        package let errors: FileHandle
        fileprivate let ends: AsyncStream<Void>

        /// Presses Control-C and waits for the end.
        package func interrupt() async -> Int32 {
            process.interrupt()
            for await _ in ends {}
            return process.terminationStatus
        }
    }

    private static func process(_ name: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = productsFolder.appending(path: name)
        process.arguments = arguments
        return process
    }

    /// Where the build puts programs: next to the test bundle.
    private static var productsFolder: URL {
        let testBundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }
        return testBundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
}

/// Calls `body` with a folder that exists as long as it runs.
package func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let result: Result<Value, any Error>
    do { result = .success(try await body(folder)) } catch { result = .failure(error) }
    try FileManager.default.removeItem(at: folder)
    return try result.get()
}

extension FileHandle {
    fileprivate convenience init(creating file: URL) throws {
        try Data().write(to: file)
        try self.init(forWritingTo: file)
    }
}

extension Process {
    fileprivate func runToEnd() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            terminationHandler = { _ in continuation.resume() }
            do { try run() } catch { continuation.resume(throwing: error) }
        }
    }
}

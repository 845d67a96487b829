#if os(Linux) && compiler(>=6.3)  // An exit test captures a value.

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import TestSupport
@testable import URLSessionResultTransport

/// Other processes that a program makes: by `fork` alone, and with `exec`.
@Suite(.inTurn)
struct ChildProcessTests {
    /// The child has no thread but the one that made it. Queues run nothing there, so the handler is called by `resume()`.
    @Test("In a child made by fork alone, a request fails at once", arguments: [true, false])
    func forkAlone(isKnown: Bool) async {
        await #expect(processExitsWith: .success) { [isKnown] in
            let server = try LoopbackServer(.ok("abc"))
            let session = URLSession(configuration: .forTests)
            _ = try await session.dataResult(from: server.url()).get()
            let fork = try ChildProcess.findFork()
            let child = fork()
            if child == 0 {
                let session = isKnown ? session : URLSession(configuration: .forTests)
                _exit(ChildProcess.failsAtOnce(session, server.url()) ? EXIT_SUCCESS : EXIT_FAILURE)
            }
            #expect(ChildProcess.status(of: child) == 0)
            _ = try await session.dataResult(from: server.url()).get()
        }
    }

    @Test("In a child made by fork alone before the first request, the event loop runs")
    func forkBefore() async {
        await #expect(processExitsWith: .success) {
            let fork = try ChildProcess.findFork()
            let child = fork()
            if child == 0 { _exit(ChildProcess.loops() ? EXIT_SUCCESS : EXIT_FAILURE) }
            #expect(ChildProcess.status(of: child) == 0)
        }
    }

    /// How a process is made.
    enum Maker: String, CaseIterable, Codable, Sendable {
        case fork, spawn
    }

    @Test(
        "Of 200 processes made while sessions come and go, none holds a connection, and all requests end well",
        arguments: Maker.allCases)
    func executed(_ maker: Maker) async {
        await #expect(processExitsWith: .success) { [maker] in
            let childCount = 200
            let server = try LoopbackServer(keepsRequests: false) { try $1.respond(body: "abc") }
            let folder = TemporaryFolder()
            let isOver = Monitor(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for form in APIForm.some {
                    group.addTask {
                        while !isOver.value {
                            let session = URLSession(configuration: .forTests)
                            let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
                            for _ in 0..<3 { _ = try await form.run(session, request).get() }
                        }
                    }
                }
                for index in 0..<childCount {
                    let child = try ChildProcess.make(
                        maker, reportingTo: index.isMultiple(of: 10) ? folder.file("\(index)") : nil)
                    #expect(ChildProcess.status(of: child) == 0)
                    await Task.yield()
                }
                isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
            for name in folder.contents {
                let report = try String(contentsOf: folder.file(name), encoding: .utf8)
                let held = ChildProcess.connections(in: report, to: server.port)
                #expect(held.isEmpty, "\(report)")
            }
            #expect(folder.contents.count == childCount / 10)
            endProcess(removing: folder)
        }
    }
}

enum ChildProcess {
    /// Runs another program.
    ///
    /// - Parameters:
    ///   - maker: How its process is made.
    ///   - file: The file in which it lists its descriptors, and the connections of all processes (`/proc/net/tcp`).
    /// - Returns: The number of the process.
    /// - Throws: An error if there is no `fork`.
    static func make(_ maker: ChildProcessTests.Maker, reportingTo file: URL?) throws -> pid_t {
        let path = file == nil ? "/bin/true" : "/bin/sh"
        let script = "exec > \(file?.path ?? ""); ls -l /proc/$$/fd; cat /proc/net/tcp"
        let arguments = file == nil ? [] : ["-c", script]
        // Nothing is allocated in the child.
        var list = ([path] + arguments).map { strdup($0) } + [nil]
        defer { list.forEach { free($0) } }
        if maker == .spawn {
            var child: pid_t = 0
            #expect(posix_spawn(&child, path, nil, nil, &list, nil) == 0)
            return child
        }
        let fork = try findFork()
        return try list.withUnsafeMutableBufferPointer { list in
            let (program, list) = (try #require(list[0]), try #require(list.baseAddress))
            let child = fork()
            if child == 0 {
                execv(program, list)
                _exit(EXIT_FAILURE)
            }
            return child
        }
    }

    /// Finds the sockets of a process that are a client's.
    ///
    /// - Parameters:
    ///   - report: What the process has listed.
    ///   - port: The port of the server.
    /// - Returns: The numbers of the sockets.
    static func connections(in report: String, to port: UInt16) -> Set<Substring> {
        let lines = report.split(separator: "\n")
        let sockets = lines.compactMap { line in
            line.range(of: "socket:[").map { line[$0.upperBound...].prefix { $0 != "]" } }
        }
        let end = ":" + String(format: "%04X", Int(port))
        let connections = lines.compactMap { line -> Substring? in
            // The number of the line, this end, the other end, and the number of the socket as the tenth.
            let fields = line.split(separator: " ")
            return fields.count > 9 && fields[2].hasSuffix(end) ? fields[9] : nil
        }
        return Set(sockets).intersection(connections)
    }

    /// Swift does not let a program call `fork` by its name.
    static func findFork() throws -> @convention(c) () -> pid_t {
        let address = try #require(dlsym(nil, "fork"))
        return unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)
    }

    /// Whether each handler is called before `resume()` returns, with the error of the event loop.
    static func failsAtOnce(_ session: URLSession, _ url: URL) -> Bool {
        let codes = Locked<[URLError.Code?]>([])
        @Sendable func note<T>(_ result: Result<T, NetworkError>) {
            codes.withLock { $0.append(result.error?.urlError?.code) }
        }
        session.dataTask(with: url, resultHandler: note).resume()
        session.downloadTask(with: url, resultHandler: note).resume()
        session.uploadTask(with: URLRequest(url: url, method: .put), from: Data("abc".utf8), resultHandler: note)
            .resume()
        return codes.withLock { $0 } == [.unknown, .unknown, .unknown]
    }

    /// Whether the event loop does what it is given, in this process.
    static func loops() -> Bool {
        guard let loop = try? EventLoop.running() else { return false }
        let isDone = Gate()
        loop.perform { isDone.open() }
        isDone.wait()
        return true
    }

    /// Waits for the end of a child.
    static func status(of child: pid_t) -> CInt {
        var status: CInt = -1
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

#endif

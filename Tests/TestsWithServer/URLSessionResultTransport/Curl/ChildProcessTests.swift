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

        /// Foundation's `Process`, which gives the program one end of a pair of sockets, to notice its end.
        case foundation
    }

    /// libcurl before 8.8 lets other programs have the sockets with which its threads wake each other (curl issue 13618): a pair for each
    /// session of `URLSession`, for all connections of a session, and for each look-up.
    @Test(
        "Of 1,000 processes made while sessions come and go, none holds a connection, and all requests end well",
        arguments: Maker.allCases)
    func executed(_ maker: Maker) async throws {
        // In another process, because its sockets are passed on.
        let server = try LoopbackServer(keepsRequests: false) { try $1.respond(body: "abc") }
        await #expect(processExitsWith: .success) { [maker, url = server.url() as URL] in
            let childCount = 1_000 / Maker.allCases.count + 1
            let socketsBefore = try ChildProcess.socketsOfThisProcess
            let folder = TemporaryFolder()
            let nameServer = try SilentNameServer()
            let silentURL = try #require(SilentNameServer.url)
            let lookUp = Task { await URLSession(configuration: .forTests).dataResult(from: silentURL) }
            try await nameServer.isAsked()
            let isOver = Monitor(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for form in APIForm.some {
                    group.addTask {
                        while !isOver.value {
                            let session = URLSession(configuration: .forTests)
                            let request = URLRequest(url: url, method: form.uploads ? .put : .get)
                            for _ in 0..<3 { _ = try await form.run(session, request).get() }
                        }
                    }
                }
                for index in 0..<childCount {
                    #expect(try ChildProcess.run(maker, reportingTo: folder.file("\(index)")) == 0)
                    await Task.yield()
                }
                isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
            lookUp.cancel()
            #expect(await lookUp.value.error?.isCancelled == true)
            #expect(folder.contents.count == childCount)
            // Before 7.88, libcurl looks whether there is IPv6 by a socket that it opens and closes, for each session.
            let probeCount = LibcurlVersion(7, 88).isLoaded ? 0 : 1
            for name in folder.contents {
                let report = try String(contentsOf: folder.file(name), encoding: .utf8)
                let held = ChildProcess.sockets(in: report).subtracting(socketsBefore)
                let pairs = held.intersection(ChildProcess.pairedSockets(in: report))
                #expect(held.count - pairs.count <= probeCount, "\(held.subtracting(pairs)):\n\(report)")
                if LibcurlVersion(8, 9).isLoaded { #expect(pairs.count <= (maker == .foundation ? 1 : 0), "\(report)") }
            }
            endProcess(removing: folder)
        }
        withExtendedLifetime(server) {}
    }
}

enum ChildProcess {
    /// Runs another program to its end, which lists its descriptors, and the local sockets of all processes. Linux leaves some out of that
    /// list if others are closed meanwhile, so it is there twice.
    ///
    /// - Parameters:
    ///   - maker: How its process is made.
    ///   - file: The file for the list.
    /// - Returns: Its status, which is 0 if all went well.
    /// - Throws: An error if there is no process.
    static func run(_ maker: ChildProcessTests.Maker, reportingTo file: URL) throws -> CInt {
        let path = "/bin/sh"
        let arguments = ["-c", "exec > \(file.path); ls -l /proc/$$/fd; cat /proc/net/unix /proc/net/unix"]
        if maker == .foundation {
            let process = try Process.run(URL(fileURLWithPath: path), arguments: arguments)
            process.waitUntilExit()
            return process.terminationStatus
        }
        // Nothing is allocated in the child.
        var list = ([path] + arguments).map { strdup($0) } + [nil]
        defer { list.forEach { free($0) } }
        if maker == .spawn {
            var child: pid_t = 0
            #expect(posix_spawn(&child, path, nil, nil, &list, nil) == 0)
            return status(of: child)
        }
        let fork = try findFork()
        return try list.withUnsafeMutableBufferPointer { list in
            let (program, list) = (try #require(list[0]), try #require(list.baseAddress))
            let child = fork()
            if child == 0 {
                execv(program, list)
                _exit(EXIT_FAILURE)
            }
            return status(of: child)
        }
    }

    /// The numbers of the sockets that this process holds.
    static var socketsOfThisProcess: Set<Substring> {
        get throws {
            let folder = "/proc/self/fd"
            let targets = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            return sockets(in: targets.joined(separator: "\n"))
        }
    }

    /// The numbers of the sockets in a list of descriptors.
    static func sockets(in report: String) -> Set<Substring> {
        Set(
            report.split(separator: "\n").compactMap { line in
                line.range(of: "socket:[").map { line[$0.upperBound...].prefix { $0 != "]" } }
            })
    }

    /// The numbers of the local sockets without a name (`AF_UNIX`) in a list of all processes, which has them at the end of a line.
    static func pairedSockets(in report: String) -> Set<Substring> {
        Set(
            report.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ")
                return fields.count == 7 && fields[0].hasSuffix(":") ? fields[6] : nil
            })
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

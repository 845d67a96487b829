#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// The thread on which libcurl sends and receives.
@Suite(.inTurn)
struct EventLoopTests {
    #if compiler(>=6.3)  // An exit test captures a value.
    @Test("A request without a descriptor is an error, and the next one finds one", arguments: [false, true])
    func descriptors(hasStarted: Bool) async {
        await #expect(processExitsWith: .success) { [hasStarted] in
            let server = try LoopbackServer(.ok("abc"))
            let session = URLSession(configuration: .forTests)
            if hasStarted { _ = try await session.dataResult(from: server.url()).get() }
            let other = URLSession(configuration: .forTests)
            var held: [CInt] = []
            while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
                held.append(descriptor)
            }
            let error = await other.dataResult(from: server.url()).error
            for descriptor in held { close(descriptor) }
            #expect(error?.urlError?.code == .cannotConnectToHost)
            #expect(try await other.dataResult(from: server.url()).get() == Data("abc".utf8))
            endProcess()
        }
    }
    #endif

    /// In a process of its own: the loop has, too, what the thread blocks that has started it, and those of queues block nearly all.
    @Test("The thread takes no signal of the program, and is told of its own faults")
    func signals() async {
        await #expect(processExitsWith: .success) {
            // glibc has those between for itself.
            let all = Set(1..<32).union(__libc_current_sigrtmin()...__libc_current_sigrtmax())
            let blocked: Set<CInt> = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    var none = sigset_t()
                    pthread_sigmask(SIG_SETMASK, &none, nil)
                    do {
                        try EventLoop.running().perform {
                            var signals = sigset_t()
                            pthread_sigmask(SIG_BLOCK, nil, &signals)
                            continuation.resume(returning: all.filter { sigismember(&signals, $0) == 1 })
                        }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
            let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]
            // Nobody can block the others.
            #expect(blocked == all.subtracting(faults + [SIGKILL, SIGSTOP]))
        }
    }

    @Test("Work that follows work without an end does not keep a response from coming", arguments: APIForm.some)
    func endlessWork(_ form: APIForm) async throws {
        let loop = try EventLoop.running()
        let isOver = Monitor(false)
        @Sendable func work() {
            if !isOver.value { loop.perform { work() } }
        }
        work()
        defer { isOver.withLock { $0 = true } }
        let server = try LoopbackServer(.ok("abc"))
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        _ = try await form.run(URLSession(configuration: .forTests), request).get()
    }

    @Test("Other programs that are started get none of the connections", arguments: APIForm.some)
    func closeOnExec(_ form: APIForm) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok("abc").once(gate))
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        let transfer = Task { await form.run(URLSession(configuration: .forTests), request) }
        try await server.requests(atLeast: 1)
        let connections = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
            .filter { port(ofPeerOf: $0) == server.port }
        #expect(!connections.isEmpty)
        for connection in connections { #expect(fcntl(connection, F_GETFD) & FD_CLOEXEC != 0) }
        gate.open()
        _ = try await transfer.value.get()
    }

    private func port(ofPeerOf descriptor: CInt) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// The libcurl of the process, which others may use, too.
@Suite(.inTurn)
struct SharedLibcurlTests {
    private typealias Initialize = @convention(c) (Int) -> CInt
    private typealias CleanUp = @convention(c) () -> Void

    private static func function<Function>(_ name: String, of library: UnsafeMutableRawPointer?) throws -> Function {
        unsafeBitCast(try #require(dlsym(library, name)), to: Function.self)
    }

    /// The file from which the process has loaded a function.
    private static func file(of function: UnsafeRawPointer) throws -> String {
        // Swift's module of glibc does not have it. `Dl_info` begins with the name.
        let find: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> CInt = try Self.function(
            "dladdr", of: nil)
        let information = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        defer { information.deallocate() }
        #expect(find(function, information) != 0)
        return String(cString: information.load(as: UnsafePointer<CChar>.self))
    }

    /// Sends a request with the library's functions.
    private static func send(_ url: URL, by library: UnsafeMutableRawPointer?) throws -> Int {
        typealias Take = @convention(c) (UnsafeMutableRawPointer?, Int, Int, UnsafeMutableRawPointer?) -> Int
        let make: @convention(c) () -> UnsafeMutableRawPointer? = try function("curl_easy_init", of: library)
        let set: @convention(c) (UnsafeMutableRawPointer, CInt, UnsafeRawPointer?) -> CInt = try function(
            "curl_easy_setopt", of: library)
        let perform: @convention(c) (UnsafeMutableRawPointer) -> CInt = try function("curl_easy_perform", of: library)
        let get: @convention(c) (UnsafeMutableRawPointer, CInt, UnsafeMutablePointer<Int>) -> CInt = try function(
            "curl_easy_getinfo", of: library)
        let free: @convention(c) (UnsafeMutableRawPointer) -> Void = try function("curl_easy_cleanup", of: library)
        let easy = try #require(make())
        defer { free(easy) }
        let ignore: Take = { _, size, count, _ in size * count }
        _ = url.absoluteString.withCString { set(easy, 10_002, $0) }  // CURLOPT_URL
        _ = set(easy, 20_011, unsafeBitCast(ignore, to: UnsafeRawPointer.self))  // CURLOPT_WRITEFUNCTION
        #expect(perform(easy) == 0)
        var status = 0
        _ = get(easy, 0x20_0002, &status)  // CURLINFO_RESPONSE_CODE
        return status
    }

    @Test("A second libcurl in the process, which was there before, is not taken, and both work")
    func secondLibcurl() async {
        await #expect(processExitsWith: .success) {
            let original = try Self.file(of: try #require(dlsym(nil, "curl_easy_init")))
            let folder = TemporaryFolder()
            // Where it was found by a link.
            let copy = folder.file("libcurl.so.4", try Data(contentsOf: URL(fileURLWithPath: original)))
            let second = try #require(dlopen(copy.path, RTLD_NOW | RTLD_GLOBAL))
            folder.remove()
            let initialize: Initialize = try Self.function("curl_global_init", of: second)
            #expect(initialize(3) == 0)
            let server = try LoopbackServer(.ok("abc"))
            let session = URLSession(configuration: .forTests)
            for _ in 0..<10 {
                #expect(try Self.send(server.url(), by: second) == 200)
                #expect(try await session.dataResult(from: server.url()).get() == Data("abc".utf8))
            }
            let function = unsafeBitCast(try #require(Curl.loaded).makeEasy, to: UnsafeRawPointer.self)
            #expect(try Self.file(of: function) == original)
            endProcess()
        }
    }

    @Test(
        "Others may initialize libcurl and clean it up while requests go on",
        arguments: LoopbackServer.Transport.trusted)
    func otherUsers(_ transport: LoopbackServer.Transport) async throws {
        let initialize: Initialize = try Self.function("curl_global_init", of: nil)
        let cleanUp: CleanUp = try Self.function("curl_global_cleanup", of: nil)
        let gate = Gate()
        let server = try LoopbackServer(
            ["/": .ok("abc"), "/slow": LoopbackServer.Response.ok("slow").once(gate)], over: transport)
        let session = URLSession(configuration: .forTests)
        async let slow = session.dataResult(from: server.url("/slow"))
        try await server.requests(atLeast: 1)
        for _ in 0..<10 {
            #expect(initialize(3) == 0)
            #expect(try await session.dataResult(from: server.url()).get() == Data("abc".utf8))
            cleanUp()
            let other = URLSession(configuration: .forTests)
            #expect(try await other.dataResult(from: server.url()).get() == Data("abc".utf8))
        }
        gate.open()
        #expect(try await slow.get() == Data("slow".utf8))
    }

    @Test("Connections are closed on another thread than that on which requests go on")
    func closing() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(.ok("abc"))
            Curl.stopClosing().wait()
            // Far more than are left open until the pool looks for those that nobody needs.
            let count = 80
            for _ in 0..<count {
                let session = URLSession(configuration: .forTests)
                #expect(try await session.dataResult(from: server.url()).get() == Data("abc".utf8))
            }
            #expect(server.connectionCounts.mostAtOnce == count)
            // `exit` would wait for connections to be closed.
            _exit(EXIT_SUCCESS)
        }
    }

    /// libcurl ignores the signal while it closes connections, but another libcurl, or its own in another thread, may undo that meanwhile.
    @Test("A write to a closed connection ends no process when connections are closed")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let results = Monitor<[Int]>([])
            for _ in 0..<2 {
                Curl.close {
                    let result = write(pipe.fileHandleForWriting.fileDescriptor, "a", 1)
                    results.withLock { $0.append(result) }
                }
            }
            Curl.stopClosing().wait()
            #expect(results.value == [-1, -1])
            _exit(EXIT_SUCCESS)
        }
    }
}

#endif

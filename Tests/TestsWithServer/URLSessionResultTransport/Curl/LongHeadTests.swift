#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Responses of every length over TLS. libcurl 7.88 has a long head over HTTP/2 in parts.
@Suite(.inTurn, .enabled(if: TrustedServer.areRunning))
struct LongHeadTests {
    /// libcurl 7.88 takes heads of at most 128 KiB over HTTP/2.
    static let lengths = [1, 1_000, 8_000, 16_000, 16_384, 24_000, 32_000, 33_000, 48_000, 64_000, 96_000]

    @Test("A response arrives however long its head and its body are", arguments: TrustedServer.valid, lengths)
    func alone(server: TrustedServer, _ length: Int) async throws {
        // nghttp2 takes fields of at most 64 KiB.
        for countOfFields in [1, 8] where length / countOfFields <= 64_000 {
            let scene = try Scene(server, length: length, countOfFields: countOfFields)
            for bodyLength in [0, 1, 16_384, 100_000, 300_000] {
                let response = try await scene.response(withBody: bodyLength)
                #expect(response.body.count == bodyLength)
                scene.expectFields(of: response)
            }
        }
    }

    @Test("Responses with long heads arrive beside each other", arguments: TrustedServer.valid)
    func besideEachOther(server: TrustedServer) async throws {
        let scene = try Scene(server, length: 64_000, countOfFields: 8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let response = try await scene.response(withBody: index * 1_000)
                    #expect(response.body.count == index * 1_000)
                    scene.expectFields(of: response)
                }
            }
            try await group.waitForAll()
        }
    }

    /// A server behind the trusted one, and the session of the requests.
    private struct Scene {
        let server: TrustedServer
        let loopback: LoopbackServer
        let value: String
        let countOfFields: Int
        let session = URLSession(configuration: .forTests)

        init(_ server: TrustedServer, length: Int, countOfFields: Int) throws {
            self.server = server
            self.countOfFields = countOfFields
            let value = String(repeating: "x", count: max(length / countOfFields, 1))
            self.value = value
            loopback = try LoopbackServer { request, connection in
                let length = Int(request.path.dropFirst()) ?? 0
                var head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n"
                for index in 0..<countOfFields { head += "X-Long-\(index): \(value)\r\n" }
                try connection.send(head + "\r\n")
                try connection.send(zeros: length)
            }
        }

        func response(withBody length: Int) async throws -> NetworkResponse<Data> {
            var request = URLRequest(url: try server.url("/long-heads/\(loopback.port)/\(length)"))
            request.timeoutInterval = 10
            return try await session.dataResult(for: request, decoder: .response(.data)).get()
        }

        func expectFields(of response: NetworkResponse<Data>) {
            for index in 0..<countOfFields { #expect(response.header("X-Long-\(index)") == value) }
        }
    }
}

#endif

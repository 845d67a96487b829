#if os(Linux)

import Foundation

@testable import TestSupport

/// A server whose connections never get ready for a request.
final class UnfinishedServer: Sendable {
    /// What a connection is not ready with.
    enum Stage: String, CaseIterable, Codable, Sendable {
        /// The system does not answer the client, because too many connections wait until they are accepted.
        case connection

        /// The server does not answer the client's part of the handshake of TLS.
        case handshake
    }

    private let stage: Stage
    private let socket: Socket
    private let port: UInt16
    private let accepted = Monitor<[Socket]>([])

    /// The connection that fills the queue.
    private let first: Socket?

    init(_ stage: Stage) throws {
        self.stage = stage
        socket = try Socket.listening(backlog: stage == .connection ? 0 : 512)
        port = try socket.port()
        first = stage == .connection ? try Socket.connected(to: port) : nil
        guard stage == .handshake else { return }
        Thread.detachNewThread { [socket, accepted] in
            while let client = try? socket.accept() {
                var bytes = Data()
                guard (try? client.receive(into: &bytes, atMost: 1 << 14)) == true else { continue }
                accepted.withLock { $0.append(client) }
            }
        }
    }

    deinit {
        // Wakes the thread.
        socket.shutDown()
        for client in accepted.value { client.shutDown() }
    }

    func url(_ path: String = "/") throws -> URL {
        let scheme = stage == .handshake ? "https" : "http"
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        return url
    }

    /// Waits until so many clients wait.
    func clients(atLeast count: Int) async throws {
        switch stage {
        case .connection: while try countOfConnecting < count { try await letOthersRun() }
        case .handshake: try await accepted.value { $0.count >= count }
        }
    }

    /// Waits until all clients have hung up.
    func clientsAreGone() async throws {
        switch stage {
        case .connection: while try countOfConnecting > 0 { try await letOthersRun() }
        case .handshake:
            let areGone = Gate()
            Thread.detachNewThread { [accepted] in
                for client in accepted.value { client.awaitEnd() }
                areGone.open()
            }
            try await areGone.opened()
        }
    }

    /// How many sockets wait for the server's first answer. The list has those of all processes, with the address of the other end and the
    /// state, here `SYN_SENT`.
    private var countOfConnecting: Int {
        get throws {
            // The initializer of `String` would take the first 4 KiB for all.
            let list = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/tcp")).readToEnd() ?? Data()
            return String(decoding: list, as: UTF8.self)
                .components(separatedBy: " 0100007F:\(String(format: "%04X", Int(port))) 02 ").count - 1
        }
    }
}

extension Socket {
    /// Waits until the peer has hung up.
    fileprivate func awaitEnd() {
        var bytes = Data()
        // A reset is a way of hanging up.
        while (try? receive(into: &bytes, atMost: 1 << 14)) == true { bytes.removeAll() }
    }
}

#endif

import FlyingFox
import FlyingSocks
import Foundation

extension HTTPServer {
    /// Makes a server on loopback. With port 0, the system chooses a port.
    package static func loopback(port: UInt16 = 0) throws -> HTTPServer {
        HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    }

    /// Runs the server while `body` runs. `body` is called with the URL of the server's root.
    package nonisolated func serve<Value: Sendable>(
        while body: @escaping @Sendable (URL) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do { try await self.run() } catch let error as SocketError { throw CannotListen(cause: error) }
                return nil
            }
            group.addTask {
                try await self.waitUntilListening()
                return try await body(self.rootURL)
            }
            // The first to end decides: `body` with its value, or the server if it cannot listen.
            guard let value = try await group.next() ?? nil else { throw CancellationError() }
            return value
        }
    }

    private var rootURL: URL {
        get throws {
            guard
                case .ip4(let address, let port) = listeningAddress,
                let url = URL(string: "http://\(address):\(port)")
            else { throw SocketError.unsupportedAddress }
            return url
        }
    }
}

private struct CannotListen: LocalizedError {
    let cause: SocketError

    var errorDescription: String? {
        guard case .failed(_, _, let message) = cause else { return "The server cannot listen." }
        return "The server cannot listen: \(message)."
    }
}

import Foundation
import URLSessionResult
import Usage

/// Sends requests at once, each in a session of its own, and prints the seconds of processor time that they take.
/// `Benchmarks/Scripts/waiting.py` calls it.
@main
enum Waiting {
    private static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let form = Form(rawValue: arguments[1]), let count = Int(arguments[2]),
            let url = URL(string: arguments[3])
        else {
            print("usage: Waiting \(Form.allCases.map(\.rawValue).joined(separator: "|")) COUNT URL SECONDS")
            exit(64)
        }
        let body = try Body()
        // Beforehand, so that what the first request loads does not count. By another name of the host, so that no connection is kept.
        guard let otherURL = URL(string: arguments[3].replacingOccurrences(of: "127.0.0.1", with: "localhost")) else {
            return
        }
        try await form.send(to: otherURL.appendingPathComponent("0"), with: body)
        let start = Usage.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...count {
                group.addTask { try await form.send(to: url.appendingPathComponent(arguments[4]), with: body) }
            }
            try await group.waitForAll()
        }
        print(Usage.now().processorTime - start.processorTime)
        body.remove()
    }
}

/// What an upload sends.
struct Body: Sendable {
    let data = Data(count: 1_000_000)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try data.write(to: file) }

    func remove() { try? FileManager.default.removeItem(at: file) }
}

import Foundation
import URLSessionResult
import Usage

/// Transfers a body once, and prints the bytes of memory at the peak above the start. `Benchmarks/Scripts/memory.py` calls it.
@main
enum Memory {
    private static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let form = Form(rawValue: arguments[1]), let url = URL(string: arguments[2]) else {
            print("usage: Memory \(Form.allCases.map(\.rawValue).joined(separator: "|")) URL FILE")
            exit(64)
        }
        let transfer = Transfer(url: url, file: URL(fileURLWithPath: arguments[3]))
        // A short answer beforehand, so that what the first request loads does not count.
        try await transfer.warmUp()
        let start = Usage.now()
        try await transfer.run(form)
        print(Usage.now().peakMemory - start.peakMemory)
    }
}

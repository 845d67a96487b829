import Dispatch
import Foundation
import URLSessionResult

/// Requests a URL a number of times, one after the other. What is counted is left to whoever starts it.
@main
struct Calls {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let form = Form(rawValue: arguments[1]), let count = Int(arguments[2]),
            let url = URL(string: arguments[3])
        else {
            FileHandle.standardError.write(Data("usage: Calls data|stream COUNT URL\n".utf8))
            exit(1)
        }
        let end = DispatchSemaphore(value: 0)
        // Valgrind does not survive the end of the first thread, with which an asynchronous main function begins.
        Task.detached {
            let session = URLSession(configuration: .ephemeral)
            for _ in 0..<count { await form.request(url, in: session) }
            end.signal()
        }
        end.wait()
    }
}

private enum Form: String {
    case data
    case stream

    func request(_ url: URL, in session: URLSession) async {
        do {
            switch self {
            case .data:
                _ = try await withCheckedContinuation { continuation in
                    session.dataTask(with: url) { continuation.resume(returning: $0) }.resume()
                }.get()
            case .stream:
                for try await _ in try await session.bytesResult(from: url).get().body.chunks {}
            }
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
}

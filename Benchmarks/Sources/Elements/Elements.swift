import Foundation
import URLSessionResult
import Usage

/// Reads the document at a URL in one form, and prints what that cost. `Benchmarks/Scripts/elements.py` calls it.
///
/// It prints a line: the number of elements, the processor time in seconds, the memory above the start in bytes, when the first
/// and the last element were there, and `complete` or `refused`.
@main
enum Elements {
    private static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let form = Form(rawValue: arguments[1]), let url = URL(string: arguments[3]) else {
            print("usage: Elements elements|array|values albums|anything URL")
            exit(64)
        }
        let reader = Reader(form: form, session: URLSession(configuration: .ephemeral))
        switch arguments[2] {
        case "albums": try await measure(url, of: Album.self, by: reader)
        default: try await measure(url, of: Anything.self, by: reader)
        }
    }

    private static func measure<Element: Decodable & Sendable & SendableMetatype>(
        _ url: URL, of type: Element.Type, by reader: Reader
    ) async throws {
        // One element beforehand, so that the costs of the first request and of the first element do not count.
        let warmup = url.deletingLastPathComponent().appendingPathComponent("0")
        _ = try await reader.read(warmup, of: type)
        let start = Usage.now()
        let reading = try await reader.read(url, of: type)
        let end = Usage.now()
        print(
            reading.count, end.processorTime - start.processorTime, end.peakMemory - start.peakMemory, reading.first,
            reading.last, reading.isRefused ? "refused" : "complete")
    }
}

private struct Album: Decodable, Sendable {
    struct Track: Decodable {
        var title: String
        var seconds: Int
    }

    var id: Int
    var name: String
    var artist: String
    var year: Int
    var genres: [String]
    var tracks: [Track]
}

/// An element of which nothing is read.
private struct Anything: Decodable, Sendable {
    init(from decoder: any Decoder) {}
}

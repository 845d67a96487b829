import Foundation
import URLSessionResult

/// A way to read a document.
enum Form: String {
    /// As they arrive.
    case elements
    /// The whole array.
    case array
    /// The whole array or object.
    case values
}

/// What reading a document led to.
struct Reading {
    var count = 0

    /// When the first and the last element were there.
    var first: TimeInterval = 0
    var last: TimeInterval = 0

    /// Whether the document was not what the decoder reads.
    var isRefused = false

    mutating func add(_ newCount: Int) {
        // In seconds, as Python's `time.monotonic()`.
        last = TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
        if count == 0 { first = last }
        count += newCount
    }
}

/// Reads documents in one form.
struct Reader {
    let form: Form
    let session: URLSession

    func read<Element: Decodable & Sendable & SendableMetatype>(
        _ url: URL, of type: Element.Type
    ) async throws(NetworkError) -> Reading {
        var reading = Reading()
        do throws(NetworkError) {
            try await read(url, of: type, into: &reading)
        } catch {
            guard case .decodingError = error else { throw error }
            reading.isRefused = true
        }
        return reading
    }

    private func read<Element: Decodable & Sendable & SendableMetatype>(
        _ url: URL, of type: Element.Type, into reading: inout Reading
    ) async throws(NetworkError) {
        switch form {
        case .elements:
            let body = try await session.bytesResult(from: url).get().body
            for try await _ in body.elements(.json(type)) { reading.add(1) }
        case .array:
            reading.add(try await session.dataResult(from: url, decoder: .jsonArray(of: type)).get().count)
        case .values:
            reading.add(try await session.dataResult(from: url, decoder: .jsonValues(of: type)).get().count)
        }
    }
}

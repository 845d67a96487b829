import Benchmark
import Comparison
import Dispatch
import Foundation
import Synchronization
import URLSessionResult

/// The ways to decode a document that are held against each other.
enum DocumentDecoding<Element: Shape> {
    static func contenders(for container: Container) -> [Contender<Document<Element>>] {
        [
            Contender("JSONDecoder") { blackHole(try whole($0.data, container)) },
            Contender("ideal split") { blackHole(try split($0.parts, container)) },
            Contender("library") { [decoder = decoder(for: container)] document in
                blackHole(try decoder.decode(.success(document.data)).get())
            },
        ]
    }

    static func decoder(for container: Container) -> ResultDecoder<[Element]> {
        switch container {
        case .array: .jsonArray()
        case .object: .jsonValues()
        }
    }

    static func whole(_ data: Data, _ container: Container) throws -> [Element] {
        switch container {
        case .array: try JSONDecoder().decode([Element].self, from: data)
        case .object: Array(try JSONDecoder().decode([String: Element].self, from: data).values)
        }
    }

    /// What nobody can do with a document that arrives in one piece: it is cut already, and nothing is joined.
    static func split(_ parts: [Data], _ container: Container) throws -> [Result<[Element], any Error>] {
        let results = Mutex<[Result<[Element], any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: parts.count) { index in
            let result = Result { try whole(parts[index], container) }
            results.withLock { $0.append(result) }
        }
        return results.withLock { $0 }
    }
}

import Foundation

/// What several threads have decoded of an array or object.
///
/// Unchecked, because the lock is held on every access. Elements don't have to be `Sendable`: a thread keeps none of those that
/// it has recorded.
final class JSONDecodedParts<Element>: @unchecked Sendable {
    private let lock = NSLock()

    /// By the position of their first element.
    private var parts: [Int: [Element]] = [:]

    private var keys: Set<String> = []
    private var hasFailure = false

    /// Whether a part was rejected. Then `JSONDecoder` has to read the whole document.
    var isRejected: Bool { lock.withLock { hasFailure } }

    /// The elements in the order of the document.
    var elements: [Element] {
        lock.withLock { parts.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    /// Keeps the elements of a part, unless one of its keys has occurred before.
    func record(_ elements: [Element], of part: JSONPart) {
        lock.withLock {
            parts[part.firstIndex] = elements
            let areNew = part.keys.allSatisfy { keys.insert($0).inserted }
            if elements.count != part.count || !areNew { hasFailure = true }
        }
    }

    func reject() {
        lock.withLock { hasFailure = true }
    }
}

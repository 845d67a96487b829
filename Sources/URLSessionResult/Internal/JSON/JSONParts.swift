import Foundation

/// The parts of a document, for several threads: each takes a part, decodes it, records what came of it, and asks again.
///
/// Unchecked, because nothing is touched without the lock. The elements need not be `Sendable`: a thread that has recorded
/// elements has none of them left.
final class JSONParts<Element>: @unchecked Sendable {
    private let lock = NSLock()
    private let minimumSize: Int
    private let isPadded: Bool
    private var splitter: JSONSplitter
    private var elements: [Int: [Element]] = [:]
    private var duplicateKeys = JSONDuplicateKeys()
    private var isRefused = false

    init(_ splitter: JSONSplitter, minimumSize: Int, isPadded: Bool) {
        self.splitter = splitter
        self.minimumSize = minimumSize
        self.isPadded = isPadded
    }

    /// Returns a part that no thread has yet, or `nil` when there is none or it would be in vain.
    func nextPart() -> JSONPart? {
        lock.withLock {
            guard !isRefused else { return nil }
            // No part is shorter than the padding before it, or most of the time would be spent on paddings.
            let padding = isPadded ? splitter.memberCount * JSONPadding.entry.utf8.count : 0
            return splitter.nextPart(size: max(minimumSize, padding))
        }
    }

    /// Records what `JSONDecoder` made of a part.
    func record(_ decoded: Result<JSONDecodedPart<Element>, any Error>, of part: JSONPart) {
        lock.withLock {
            // JSONDecoder lets a comma follow the last member, so the members are counted.
            guard let decoded = try? decoded.get(), decoded.elements.count == part.count else {
                isRefused = true
                return
            }
            elements[part.firstIndex] = decoded.elements
            duplicateKeys.look(in: decoded.keys)
            isRefused = isRefused || duplicateKeys.areFound
        }
    }

    /// Joins the elements of all parts, or returns `nil` when `JSONDecoder` has to see the whole document.
    func joined() -> [Element]? {
        lock.withLock {
            guard !isRefused else { return nil }
            return elements.sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }

    /// The splitter, which knows what surrounds the parts once all have been taken.
    var splitterAfterLastPart: JSONSplitter { lock.withLock { splitter } }
}

/// What `JSONDecoder` made of a part: its elements and, in an object, their keys.
struct JSONDecodedPart<Element> {
    var keys: [String] = []
    let elements: [Element]
}

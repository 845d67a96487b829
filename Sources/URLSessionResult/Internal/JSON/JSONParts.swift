import Foundation

/// The parts of a document, shared by the threads that decode them: each takes a part, records the result, and repeats.
///
/// Unchecked, because every access holds the lock. Elements don't have to be `Sendable`, because a thread keeps none of
/// the elements that it has recorded.
final class JSONParts<Element>: @unchecked Sendable {
    private let lock = NSLock()
    private let minimumSize: Int
    private let isPadded: Bool
    private let splitter: JSONSplitter
    /// The elements of each part, in order. Empty for a part that a thread decodes.
    private var elements: [[Element]] = []
    private var keys: Set<String> = []
    private var isRejected = false

    init(_ splitter: JSONSplitter, minimumSize: Int, isPadded: Bool) {
        self.splitter = splitter
        self.minimumSize = minimumSize
        self.isPadded = isPadded
    }

    /// Returns a part that no thread has taken. Returns `nil` if there is none, or if a part was rejected.
    func nextPart() -> JSONPart? {
        lock.withLock {
            guard !isRejected else { return nil }
            // A part is at least as long as its padding. Otherwise most of the time would be spent on padding.
            let padding = isPadded ? splitter.memberCount * JSONPadding.entry.utf8.count : 0
            let part = splitter.nextPart(size: max(minimumSize, padding))
            if part != nil { elements.append([]) }
            return part
        }
    }

    /// Records the elements of a part and, if it is a part of an object, its keys.
    ///
    /// `JSONDecoder` keeps the first of two members with equal keys. In two different parts it would keep both, so an object
    /// with equal keys is rejected, and decoded as a whole. Two keys are equal if they are equal as Swift strings, however
    /// they are written: `é`, `\u00e9` and `e\u0301` are the same key.
    ///
    /// - Parameters:
    ///   - decoded: The elements, or nil if they could not be decoded.
    ///   - newKeys: The keys.
    ///   - part: The part.
    func record(_ decoded: [Element]?, keys newKeys: [String], of part: JSONPart) {
        lock.withLock {
            // The count differs if a comma follows the last member, which JSONDecoder allows.
            guard let decoded, decoded.count == part.count else {
                isRejected = true
                return
            }
            elements[part.number] = decoded
            for key in newKeys where !keys.insert(key).inserted { isRejected = true }
        }
    }

    /// Returns the elements of all parts in order, or `nil` if a part was rejected.
    func joined() -> [Element]? {
        lock.withLock {
            guard !isRejected else { return nil }
            return elements.flatMap { $0 }
        }
    }
}

import Foundation

extension SharedJSONDecoder {
    /// Returns the number of threads that can work on a document, however many cores there are.
    func usefulCores(for data: Data) -> Int {
        let isWorthSplitting = data.count / 4 >= partSize
        return isWorthSplitting ? data.count / partSize : 1
    }

    /// Decodes the members of an array or object in parts, on several threads.
    ///
    /// The result is that of `JSONDecoder`, or `nil`:
    ///
    /// * `JSONDecoder` accepts each part as an array or object of its own, at the same path.
    /// * Between two parts there is one comma; before the first part is a bracket, after the last the matching one.
    /// * `JSONDecoder` accepts the document with a string in place of the array or object, and finds it at the path.
    ///
    /// So it accepts the whole document. One more condition makes the elements the same: no two keys are equal, because it
    /// keeps only the first of two members with equal keys. Two keys are equal if they are equal as Swift strings, however
    /// they are written: `é`, `\u00e9` and `e\u0301` are the same key.
    ///
    /// - Returns: `nil` if splitting is not worth it, or if `JSONDecoder` has to read the whole document.
    func inParts<Element: Decodable & SendableMetatype>(
        _ collection: JSONCollection, of type: Element.Type, in data: Data, at path: JSONKeyPath, cores: Int
    ) -> [Element]? {
        guard cores > 1, let splitter = splitter(of: data, at: path), splitter.collection == collection else {
            return nil
        }
        let isPadded = collection == .array && JSONPadding.isNeeded(for: type)
        if isPadded, hasTinyMembers(data, at: path) { return nil }
        // Four parts for each core: if all threads were in the same phase of a part, they would wait for each other.
        let size = max(partSize, data.count / (cores * 4))

        let lock = NSLock()
        // What the threads share. Safe, although the compiler cannot see it: they hold the lock on every access. Elements don't
        // have to be `Sendable`, because a thread keeps none of those that it has recorded.
        nonisolated(unsafe) var elements: [[Element]] = []
        nonisolated(unsafe) var keys: Set<String> = []
        nonisolated(unsafe) var isRejected = false

        @Sendable func takePart() -> JSONPart? {
            guard !isRejected else { return nil }
            // A part is at least as long as its padding. Otherwise most of the time would be spent on padding.
            let padding = isPadded ? splitter.memberCount * JSONPadding.entry.utf8.count : 0
            let part = splitter.nextPart(size: max(size, padding))
            if part != nil { elements.append([]) }
            return part
        }

        DispatchQueue.concurrentPerform(iterations: cores) { _ in
            while let part = lock.withLock({ takePart() }) {
                // An error is not kept, because JSONDecoder then reads the whole document and throws the complete one.
                let decoded = try? decode(Element.self, in: part, of: splitter, isPadded: isPadded)
                lock.withLock {
                    elements[part.number] = decoded?.elements ?? []
                    let areNew = (decoded?.keys ?? []).allSatisfy { keys.insert($0).inserted }
                    if decoded?.elements.count != part.count || !areNew { isRejected = true }
                }
            }
        }
        guard !isRejected, confirmsSurroundings(of: splitter) else { return nil }
        return elements.flatMap { $0 }
    }

    /// Whether members are shorter than 16 bytes: their padding would cost more memory than the threads save time.
    func hasTinyMembers(_ data: Data, at path: JSONKeyPath) -> Bool {
        guard let sample = JSONSplitter(data, at: path)?.nextPart(size: partSize) else { return false }
        return sample.count > 1 + partSize / 16
    }

    func decode<Element: Decodable>(
        _ type: Element.Type, in part: JSONPart, of splitter: JSONSplitter, isPadded: Bool
    ) throws -> (elements: [Element], keys: [String]) {
        switch splitter.collection {
        case .object:
            let document = splitter.document(with: part)
            let values = try orderedValues(
                of: Element.self, in: document, at: splitter.path, keys: objectKeys(part.keys))
            return (values, part.keys)
        case .array where isPadded && part.firstIndex > 0:
            let document = splitter.document(with: part, padding: JSONPadding.text(count: part.firstIndex))
            let elements: [Element] = try read(document, at: splitter.path) { decoder in try decoder.paddedElements() }
            return (elements, [])
        case .array:
            let document = splitter.document(with: part)
            return (try decode([Element].self, from: document, at: splitter.path), [])
        }
    }

    /// Whether `JSONDecoder` accepts what surrounds a collection, and finds the collection at the end of its path. It may
    /// find another one, because a key strategy converts keys.
    ///
    /// `JSONDecoder` gets the document with a string in place of the collection, and has to find this string. The string is
    /// random, so that no document contains it elsewhere. All parts must have been taken from the splitter.
    func confirmsSurroundings(of splitter: JSONSplitter) -> Bool {
        let placeholder = UUID().uuidString
        guard let surroundings = splitter.document(replacingCollectionBy: "\"\(placeholder)\"") else { return false }
        // An error means no. JSONDecoder throws it again when it reads the whole document.
        return (try? decode(String.self, from: surroundings, at: splitter.path)) == placeholder
    }
}

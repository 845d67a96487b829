import Foundation

extension SharedJSONDecoder {
    /// Returns the number of threads that can work on a document, however many cores there are.
    func usefulCores(for data: Data) -> Int {
        let isWorthSplitting = data.count / 4 >= partSize
        return isWorthSplitting ? data.count / partSize : 1
    }

    /// Decodes the members of an array or object in parts, on several threads. All parts are still in the splitter.
    ///
    /// The result is that of `JSONDecoder`, because all of this holds. Otherwise it is `nil`:
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
    func elementsInParts<Element: Decodable & SendableMetatype>(
        of splitter: JSONSplitter, as type: Element.Type, cores: Int
    ) -> [Element]? {
        let isPadded = splitter.collection == .array && JSONPadding.isNeeded(for: type)
        if isPadded, hasTinyMembers(splitter) { return nil }
        // Four parts for each core: if all threads were in the same phase of a part, they would wait for each other.
        let size = max(partSize, splitter.data.count / (cores * 4))
        let padding = isPadded ? JSONPadding.entry.utf8.count : 0

        let decoded = JSONDecodedParts<Element>()
        DispatchQueue.concurrentPerform(iterations: cores) { _ in
            while !decoded.isRejected, let part = splitter.nextPart(size: size, padding: padding) {
                do {
                    decoded.record(try decode(Element.self, in: part, of: splitter, isPadded: isPadded), of: part)
                } catch {
                    // The error is not kept, because JSONDecoder then reads the whole document and throws the complete one.
                    decoded.reject()
                }
            }
        }
        guard !decoded.isRejected, confirmsSurroundings(of: splitter) else { return nil }
        return decoded.elements
    }

    /// Whether members are shorter than 16 bytes: their padding would cost more memory than the threads save time.
    private func hasTinyMembers(_ splitter: JSONSplitter) -> Bool {
        guard let sample = splitter.sample(size: partSize) else { return false }
        return sample.count > 1 + partSize / 16
    }

    private func decode<Element: Decodable>(
        _ type: Element.Type, in part: JSONPart, of splitter: JSONSplitter, isPadded: Bool
    ) throws -> [Element] {
        switch splitter.collection {
        case .object:
            let document = splitter.document(with: part)
            return try orderedValues(of: type, in: document, at: splitter.path, keys: objectKeys(part.keys))
        case .array where isPadded:
            let paddingCount = part.firstIndex
            let document = splitter.document(with: part, padding: JSONPadding.text(count: paddingCount))
            return try read(document, at: splitter.path) { decoder in try decoder.elements(afterPadding: paddingCount) }
        case .array:
            return try decode([Element].self, from: splitter.document(with: part), at: splitter.path)
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

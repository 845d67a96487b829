import Foundation

// A collection inside an envelope is found in two steps. First the scanner guesses where it begins: in each object of the
// path, at the first key whose text is that of the step. The guess may be wrong, because the scanner ignores escapes and
// key strategies. So JSONDecoder confirms it afterwards.

extension JSONScanner {
    /// Guesses where the value at the end of a path begins.
    ///
    /// - Returns: `nil` if a step is not found. An index is never found, because only the members of objects are searched.
    static func guessedPosition(ofValueAt path: JSONKeyPath, in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = firstPosition(afterWhitespaceAt: 0, in: bytes)
        for step in path.steps {
            guard let object = position, bytes[object] == UInt8(ascii: "{") else { return nil }
            position = Self.position(ofMemberCalled: step, inObjectAt: object, in: bytes)
        }
        return position
    }

    static func position(
        ofMemberCalled name: String, inObjectAt brace: Int, in bytes: UnsafeRawBufferPointer
    ) -> Int? {
        var scanner = JSONScanner(bytes, at: brace + 1)
        var isKeyNext = true
        while true {
            switch scanner.nextMark() {
            case .string(let text) where isKeyNext && bytes[text].elementsEqual(name.utf8):
                let colon = firstPosition(afterWhitespaceAt: scanner.position, in: bytes)
                guard let colon, bytes[colon] == UInt8(ascii: ":") else { return nil }
                return firstPosition(afterWhitespaceAt: colon + 1, in: bytes)
            case .string:
                isKeyNext = false
            case .comma:
                isKeyNext = true
            case .closingBracket, .endOfText:
                return nil
            }
        }
    }

    static func firstPosition(afterWhitespaceAt start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        bytes[start...].firstIndex { !" \n\r\t".utf8.contains($0) }
    }
}

extension SharedJSONDecoder {
    /// Whether `JSONDecoder` accepts what surrounds a collection, and finds the collection at the end of its path.
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

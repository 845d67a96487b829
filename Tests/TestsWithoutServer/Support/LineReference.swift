import Foundation

@testable import URLSessionResult
@testable import URLSessionResultTransport

/// Splits a whole body into lines in the plainest way, as the reference for `LineSplitter`.
enum LineReference {
    /// Decodes the whole body first, then looks at one character after the other.
    static func lines(of body: [UInt8]) -> [String] {
        var lines: [String] = []
        var line = ""
        var last: Unicode.Scalar?
        var hasBegun = false
        for scalar in String(decoding: body, as: UTF8.self).unicodeScalars {
            defer { last = scalar }
            switch scalar {
            case "\n" where last == "\r":
                continue
            case "\n", "\r":
                lines.append(line)
                line = ""
                hasBegun = false
            default:
                line.unicodeScalars.append(scalar)
                hasBegun = true
            }
        }
        return hasBegun ? lines + [line] : lines
    }

    /// Splits a body at the given places, and says how the lines differ from those of the whole.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - sizes: The sizes of the pieces; the last piece is the rest.
    /// - Returns: A description, or `nil` when they agree.
    static func disagreement(on body: [UInt8], inPiecesOf sizes: some Sequence<Int>) -> String? {
        var splitter = LineSplitter()
        var found: [String] = []
        var rest = body[...]
        for size in Array(sizes) + [body.count] {
            splitter.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let line = splitter.next() { found.append(String(decoding: line, as: UTF8.self)) }
        }
        if let line = splitter.finish() { found.append(String(decoding: line, as: UTF8.self)) }
        let expected = lines(of: body)
        // Compared by bytes: equal strings may have different ones.
        guard !found.map({ Array($0.utf8) }).elementsEqual(expected.map { Array($0.utf8) }) else { return nil }
        return "\(body) in pieces of \(Array(sizes)): \(found) instead of \(expected)"
    }
}

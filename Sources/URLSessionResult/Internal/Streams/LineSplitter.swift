import Foundation
internal import URLSessionResultTransport

/// Splits bytes that arrive in pieces into lines.
///
/// LF, CRLF and CR end a line. Only these bytes are looked for: UTF-8 has neither of them inside a character, so a piece
/// may begin and end anywhere.
struct LineSplitter {
    /// The piece that arrived last.
    private var piece: [UInt8] = []

    /// Where the rest of the piece begins.
    private var position = 0

    /// The index of the first LF of the rest, or where the piece ends. Nil before the first search.
    ///
    /// It is kept, because otherwise each line that ends with CR would cause a search for LF up to the end of the piece.
    private var lineFeed: Int?

    /// The beginning of the current line, from pieces that are used up.
    private var beginning: [UInt8] = []

    /// Whether the last line ended with a CR, so that an LF is the second half of its end.
    private var endedWithCarriageReturn = false

    /// Adds the next piece. The lines of the one before have to be taken first.
    mutating func append(_ bytes: Data) {
        piece = [UInt8](bytes)
        position = 0
        lineFeed = nil
    }

    /// Takes the next line without its end, or returns `nil` when its end has not arrived.
    mutating func next() -> ArraySlice<UInt8>? {
        skipLineFeed()
        guard let end = endOfLine() else {
            beginning.append(contentsOf: piece[position...])
            position = piece.count
            return nil
        }
        let line = line(upTo: end)
        endedWithCarriageReturn = piece[end] == UInt8(ascii: "\r")
        position = end + 1
        return line
    }

    /// Takes what is left at the end of the body: a last line without an end.
    mutating func finish() -> ArraySlice<UInt8>? {
        guard !beginning.isEmpty else { return nil }
        defer { beginning = [] }
        return beginning[...]
    }

    private mutating func skipLineFeed() {
        guard endedWithCarriageReturn, position < piece.count else { return }
        if piece[position] == UInt8(ascii: "\n") { position += 1 }
        endedWithCarriageReturn = false
    }

    private mutating func line(upTo end: Int) -> ArraySlice<UInt8> {
        guard !beginning.isEmpty else { return piece[position..<end] }
        defer { beginning = [] }
        beginning.append(contentsOf: piece[position..<end])
        return beginning[...]
    }

    /// The index of the next LF or CR.
    private mutating func endOfLine() -> Int? {
        let lineFeed = nextLineFeed()
        // CR is looked for only before the LF: otherwise a body without CR would be searched to its end for every line.
        if let carriageReturn = firstIndex(of: "\r", before: lineFeed) { return carriageReturn }
        return lineFeed < piece.count ? lineFeed : nil
    }

    private mutating func nextLineFeed() -> Int {
        if let lineFeed, lineFeed >= position { return lineFeed }
        let next = firstIndex(of: "\n", before: piece.count) ?? piece.count
        lineFeed = next
        return next
    }

    private func firstIndex(of character: Unicode.Scalar, before end: Int) -> Int? {
        piece.withUnsafeBytes { $0.firstPosition(of: character, in: position..<end) }
    }
}

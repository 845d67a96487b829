import Foundation

/// What a document has its elements in.
enum Container: String, CaseIterable, Sendable {
    case array
    case object

    fileprivate var brackets: (opening: Data, closing: Data) {
        switch self {
        case .array: (Data("[".utf8), Data("]".utf8))
        case .object: (Data("{".utf8), Data("}".utf8))
        }
    }
}

/// A document of a given size, whole and cut into parts.
struct Document<Element: Shape>: Sendable {
    let data: Data
    let parts: [Data]

    init(of container: Container, size: Int, partCount: Int = ProcessInfo.processInfo.activeProcessorCount) {
        let (opening, closing) = container.brackets
        var data = opening
        data.reserveCapacity(size + 4_096)
        var members: [Range<Int>] = []
        while data.count < size {
            if !members.isEmpty { data += Data(", ".utf8) }
            let start = data.count
            if container == .object { data += Data(#""-N\#(members.count)": "#.utf8) }
            data += Data(Element.json(at: members.count).utf8)
            members.append(start..<data.count)
        }
        data += closing
        self.data = data
        let length = max(1, (members.count + partCount - 1) / partCount)
        parts = stride(from: 0, to: members.count, by: length).map { first in
            let last = min(first + length, members.count) - 1
            return opening + data[members[first].lowerBound..<members[last].upperBound] + closing
        }
    }
}

import Foundation

/// What a document has its elements in.
enum Container: String, CaseIterable, Sendable {
    case array
    case object
}

/// A document of a given size, whole and cut into as many parts as there are cores.
struct Document<Element: Shape>: Sendable {
    let data: Data
    let parts: [Data]

    init(of container: Container, size: Int, partCount: Int = ProcessInfo.processInfo.activeProcessorCount) {
        let members = Self.members(of: container, size: size)
        data = Self.text(of: members[...], in: container)
        let length = (members.count + partCount - 1) / partCount
        parts = stride(from: 0, to: members.count, by: length).map {
            Self.text(of: members[$0..<min($0 + length, members.count)], in: container)
        }
    }

    private static func members(of container: Container, size: Int) -> [String] {
        var members: [String] = []
        var length = 0
        while length < size {
            let element = Element.json(at: members.count)
            members.append(container == .array ? element : #""-N\#(members.count)": \#(element)"#)
            length += members[members.count - 1].utf8.count + 2
        }
        return members
    }

    private static func text(of members: ArraySlice<String>, in container: Container) -> Data {
        let (opening, closing) = container == .array ? ("[", "]") : ("{", "}")
        return Data((opening + members.joined(separator: ", ") + closing).utf8)
    }
}

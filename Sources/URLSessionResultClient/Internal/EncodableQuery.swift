import Foundation
internal import URLSessionResultJSON

/// Turns the members of a JSON document into the items of a query.
struct EncodableQuery {
    let arrays: QueryItems.ArrayStyle
    let keys: QueryItems.KeyStyle
    private(set) var items = QueryItems([])

    init(arrays: QueryItems.ArrayStyle, keys: QueryItems.KeyStyle) {
        self.arrays = arrays
        self.keys = keys
    }

    /// Adds the items of a value.
    ///
    /// - Parameters:
    ///   - json: The value.
    ///   - name: Its name, or nil if it is the whole document.
    /// - Throws: An `EncodingError` for a value that has no name, or no text.
    mutating func append(_ json: Data, named name: String?) throws {
        switch (json.firstCharacter, name) {
        case ("{", _):
            let members = try json.members().sorted { $0.name < $1.name }
            for member in members { try append(member.value, named: nameOfMember(member.name, of: name)) }
        case (_, nil):
            throw cannotBeSent(name, "Only the members of an object can be the items of a query.")
        case ("[", let name?):
            try appendArray(json, named: name)
        case (_, let name?):
            if let text = try json.text() { items.append(name, text) }
        }
    }

    private mutating func appendArray(_ json: Data, named name: String) throws {
        let elements = try json.members().map(\.value)
        switch arrays.kind {
        case .repeated:
            for element in elements { try append(element, named: name) }
        case .brackets:
            for element in elements { try append(element, named: "\(name)[]") }
        case .commaSeparated:
            guard !elements.contains(where: { ["[", "{"].contains($0.firstCharacter) }) else {
                throw cannotBeSent(name, "Arrays and objects cannot be separated by commas.")
            }
            let texts = try elements.compactMap { try $0.text() }
            if !texts.isEmpty { items.append(name, separatedByCommas: texts) }
        }
    }

    private func nameOfMember(_ member: String, of object: String?) -> String {
        guard let object else { return member }
        return switch keys.kind {
        case .brackets: "\(object)[\(member)]"
        case .dots: "\(object).\(member)"
        }
    }

    /// The error does not have the value, which may be secret.
    private func cannotBeSent(_ name: String?, _ reason: String) -> EncodingError {
        let path = name.map { [JSONKey(stringValue: $0)] } ?? []
        return .invalidValue(name ?? "", .init(codingPath: path, debugDescription: reason))
    }
}

/// A value in JSON.
extension Data {
    fileprivate var firstCharacter: Unicode.Scalar? {
        first { !" \t\r\n".utf8.contains($0) }.map(Unicode.Scalar.init)
    }

    /// The members of an object or the elements of an array, in the order of the document.
    fileprivate func members() throws -> [(name: String, value: Data)] {
        var splitter = JSONElementSplitter(at: .root)
        splitter.append(self)
        var members: [(name: String, value: Data)] = []
        while let element = try splitter.next() {
            members.append((element.codingPath.last?.stringValue ?? "", element.bytes))
        }
        return members
    }

    /// The text of a value that has no members: that of a string, or a number as it is written. Nil for `null`.
    fileprivate func text() throws -> String? {
        switch firstCharacter {
        case "\"": try JSONDecoder().decode(String.self, from: self)
        case "n": nil
        default: String(decoding: self, as: UTF8.self)
        }
    }
}

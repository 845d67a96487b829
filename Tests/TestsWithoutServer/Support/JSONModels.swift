/// Any JSON value, all of which is read, with the coding path that it was found at.
indirect enum JSONNode: Decodable, Equatable, Sendable {
    case null(String)
    case bool(Bool, String)
    case number(Double, String)
    case string(String, String)
    case array([JSONNode], String)
    case object([String: JSONNode], String)

    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath.map { $0.stringValue + ($0.intValue.map { "#\($0)" } ?? "") }.joined(
            separator: "/")
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null(path)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool, path)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONNode].self), path)
        } else if let object = try? container.decode([String: JSONNode].self) {
            self = .object(object, path)
        } else if let string = try? container.decode(String.self) {
            self = .string(string, path)
        } else {
            self = .number(try container.decode(Double.self), path)
        }
    }
}

/// An element that reads nothing but where it is, so that what JSONDecoder checks only when asked stays unchecked.
struct JSONOnlooker: Decodable, Equatable, Sendable {
    let path: [String]
    let index: Int?

    init(from decoder: any Decoder) {
        path = decoder.codingPath.map(\.stringValue)
        index = decoder.codingPath.last?.intValue
    }
}

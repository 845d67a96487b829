import Foundation

/// The data of a new server.
enum SampleData {
    static func decode<T: Decodable>(_ type: T.Type = T.self, named name: String) throws -> T {
        let file = Bundle.module.bundleURL.appending(path: "Data/\(name).json")
        return try JSONDecoder().decode(T.self, from: Data(contentsOf: file))
    }
}

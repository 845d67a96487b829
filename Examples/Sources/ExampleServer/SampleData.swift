import Foundation

/// The data of a new server.
enum SampleData {
    static func decode<T: Decodable>(_ type: T.Type = T.self, named name: String) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(contentsOf: url(of: "\(name).json")))
    }

    static func url(of name: String) -> URL {
        Bundle.module.bundleURL.appending(path: "Data").appending(path: name)
    }
}

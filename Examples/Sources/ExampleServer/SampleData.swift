import Foundation

/// The data of a new server, in the folder `Data`.
enum SampleData {
    static func decode<Value: Decodable>(
        _ name: String, keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys
        return try decoder.decode(Value.self, from: Data(contentsOf: url(of: name)))
    }

    static func url(of name: String) -> URL {
        Bundle.module.bundleURL.appending(path: "Data").appending(path: name)
    }
}

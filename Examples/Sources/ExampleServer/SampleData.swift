import Foundation

/// What the server starts with.
enum SampleData {
    static func json(_ name: String) throws -> JSON {
        let file = Bundle.module.bundleURL.appending(path: "Data/\(name).json")
        return try JSON(parsing: Data(contentsOf: file))
    }
}

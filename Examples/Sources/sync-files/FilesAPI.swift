import Foundation
import URLSessionResultClient

/// A file on the server.
struct RemoteFile: Codable, Equatable, Sendable {
    let name: String
    let size: Int
}

extension Endpoint where Value == [RemoteFile] {
    static var files: Endpoint { Endpoint(.get, "files") }
}

extension Endpoint where Value == RemoteFile {
    static func upload(_ file: URL, modified: Date) -> Endpoint {
        let form: MultipartForm = [
            .field("modified", value: Int(modified.timeIntervalSince1970)),
            .file("file", file),
        ]
        return Endpoint(.post, "files", body: .multipart(form))
    }
}

extension Endpoint where Value == Void {
    /// For a download.
    static func file(_ name: String) -> Endpoint { Endpoint(.get, "files/\(name)") }
}

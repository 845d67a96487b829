import Alamofire
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Album: Codable, Sendable {
    let artist: String
    let name: String
    let year: Int
}

enum WithAlamofire {
    static func fetch(_ url: URL) async throws -> [Album] {
        // snippet.alamofire-fetch
        let albums = try await AF.request(url)
            .validate()
            .serializingDecodable([Album].self)
            .value
        // snippet.end
        return albums
    }

    static func send(_ album: Album, to url: URL) async throws {
        // snippet.alamofire-send
        _ = try await AF.request(
            url, method: .post,
            parameters: album, encoder: JSONParameterEncoder.default
        )
        .validate()
        .serializingData(emptyResponseCodes: [200, 201, 204])
        .value
        // snippet.end
    }

    static func download(_ url: URL, to file: URL, show: @escaping @Sendable (Double) -> Void) async throws {
        // snippet.alamofire-download
        let destination: DownloadRequest.Destination = { _, _ in
            (file, [.removePreviousFile, .createIntermediateDirectories])
        }
        _ = try await AF.download(url, to: destination)
            .downloadProgress { progress in
                show(progress.fractionCompleted)
            }
            .validate()
            .serializingDownloadedFileURL()
            .value
        // snippet.end
    }

    static func refusal(_ url: URL) async -> (Int?, Data?) {
        // snippet.alamofire-refusal
        let response = await AF.request(url)
            .validate()
            .serializingDecodable([Album].self)
            .response
        let statusCode = response.error?.responseCode
        let body = response.data
        // snippet.end
        return (statusCode, body)
    }
}

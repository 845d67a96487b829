import FlyingFox
import Foundation

extension HTTPResponse {
    static func json(_ json: JSON, _ status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:]) throws -> HTTPResponse {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return HTTPResponse(statusCode: status, headers: headers, body: try json.serialized + Data("\n".utf8))
    }

    static func json(_ value: some Encodable, _ status: HTTPStatusCode = .ok) throws -> HTTPResponse {
        let body = try JSONEncoder.sortingKeys.encode(value) + Data("\n".utf8)
        return HTTPResponse(statusCode: status, headers: [.contentType: "application/json"], body: body)
    }
}

extension JSONEncoder {
    /// The members are sorted by name, so that the order of the albums never changes.
    static var sortingKeys: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

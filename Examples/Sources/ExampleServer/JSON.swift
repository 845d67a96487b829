import FlyingFox
import Foundation

extension HTTPRequest {
    /// Decodes the body.
    func json<Value: Decodable>(_ type: Value.Type = Value.self) async throws -> Value {
        try JSONDecoder().decode(type, from: await bodyData)
    }
}

extension HTTPResponse {
    static func json(
        _ value: some Encodable, _ status: HTTPStatusCode = .ok, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
    ) throws -> HTTPResponse {
        let encoder = JSONEncoder.sortingKeys
        encoder.keyEncodingStrategy = keys
        let body = try encoder.encode(value) + Data("\n".utf8)
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

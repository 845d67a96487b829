import FlyingFox
import Foundation

extension HTTPResponse {
    static func json(_ json: JSON, _ status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:]) throws -> HTTPResponse {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return HTTPResponse(statusCode: status, headers: headers, body: try json.serialized + Data("\n".utf8))
    }

    static func png(_ picture: Data) -> HTTPResponse {
        HTTPResponse(statusCode: .ok, headers: [.contentType: "image/png"], body: picture)
    }
}

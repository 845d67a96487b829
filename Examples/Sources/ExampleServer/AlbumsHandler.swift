import FlyingFox
import Foundation

/// A Firebase-style store: `/albums.json` is the collection, `/albums/<id>.json` is an album or `null`.
struct AlbumsHandler: HTTPHandler {
    let store: AlbumStore

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        // Not the decoded path: it would not tell an escaped slash from a real one.
        let path = request.target.path()
        guard path == "/albums.json" || path.hasPrefix("/albums/") else { throw HTTPUnhandledError() }
        do {
            let answer = try await answer(to: request)
            return request.query["print"] == "silent" ? HTTPResponse(statusCode: .noContent) : try .json(answer)
        } catch let error as ErrorResponse {
            return try error.response
        } catch {
            let message = "The albums could not be read or written: \(error.localizedDescription)"
            return try ErrorResponse(.internalServerError, message).response
        }
    }

    private func answer(to request: HTTPRequest) async throws -> JSON {
        guard let id = try AlbumID(path: request.target.path()) else {
            return try await answerForCollection(request)
        }
        switch request.method {
        case .GET:
            return try await store.albums()[id.rawValue]
        case .PUT:
            let album = try await request.json
            return try await store.update { albums in
                albums[id.rawValue] = album
                return album
            }
        case .PATCH:
            let changes = try await request.json
            guard let members = changes.members else { throw ErrorResponse(.badRequest, "The body must be an object.") }
            return try await store.update { albums in
                for (key, value) in members { albums[id.rawValue][key] = value }
                return changes
            }
        case .DELETE:
            return try await store.update { albums in
                albums[id.rawValue] = .null
                return .null
            }
        default:
            throw ErrorResponse.method(allowed: "GET, PUT, PATCH, DELETE")
        }
    }

    private func answerForCollection(_ request: HTTPRequest) async throws -> JSON {
        switch request.method {
        case .GET:
            return try await store.albums()
        case .POST:
            let album = try await request.json
            let id = AlbumID.generate()
            return try await store.update { albums in
                albums[id.rawValue] = album
                return ["name": .string(id.rawValue)]
            }
        default:
            throw ErrorResponse.method(allowed: "GET, POST")
        }
    }
}

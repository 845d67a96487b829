import Foundation
import URLSessionResultClient

@testable import TestSupport

/// Each way in which a client sends an endpoint. The server answers with the text `data: done` and an empty line.
enum RequestKind: CaseIterable, Sendable {
    case result, response, request, upload, file, form, download, resumableDownload, stream, values, lines, pages,
        events

    static let body = "data: done\n\n"

    var isReadIntoMemory: Bool { [.result, .response, .request, .upload, .file, .form, .pages].contains(self) }

    /// Whether it can be sent from a file or a form. A request that is made elsewhere has its body in memory.
    var mayUpload: Bool { self != .request }

    func text(
        _ client: APIClient, _ path: EndpointPath = "a", method: HTTPMethod = .put, sending body: RequestBody? = nil
    ) async -> Result<String, NetworkError> {
        let folder = TemporaryFolder()
        let get = Endpoint(body == nil ? .get : method, path, body: body, decoder: .string())
        let sent: RequestBody
        switch self {
        case .upload: sent = .data(Data(count: 100_000), contentType: "application/octet-stream")
        case .file: sent = .file(folder.file("sent", Data("sent".utf8)), contentType: "text/plain")
        case .form:
            sent = .multipart([
                .field("a", value: "sent"),
                .file("b", folder.file("sent", Data("sent".utf8)), contentType: "text/plain"),
            ])
        default: sent = .json(["sent"])
        }
        let put = Endpoint(method, path, body: body ?? sent, decoder: .string())
        switch self {
        case .result: return await client.result(for: get)
        case .upload, .file, .form: return await client.result(for: put) { _ in }
        case .response: return await client.response(for: put).map(\.body)
        case .request: return await send(put, asRequestBy: client)
        case .download:
            return await client.downloadResult(for: get, to: folder.file("received")).text
        case .resumableDownload:
            return await client.resumableDownloadResult(for: get, to: folder.file("received")).text
        case .stream: return await client.bytesResult(for: get).collected().map { String(decoding: $0, as: UTF8.self) }
        case .pages: return await first(of: client.pages(for: get))
        case .lines:
            let data = get.map { line in
                guard line.hasPrefix("data") else { throw NetworkError.noData }
                return line
            }
            let lines = client.values(for: data, as: .lines, until: nil, invalidElements: .skip { _, _ in })
            return await first(of: lines).map { "\($0)\n\n" }
        case .values:
            return await first(of: client.values(for: get)).map {
                "data: \($0)\n\n"
            }
        case .events: return await first(of: client.events(for: get)).map { "data: \($0.data)\n\n" }
        }
    }

    private func send(_ endpoint: Endpoint<String>, asRequestBy client: APIClient) async -> Result<String, NetworkError>
    {
        do throws(NetworkError) {
            return await client.result(for: try client.request(for: endpoint), decoder: .string())
        } catch {
            return .failure(error)
        }
    }

    private func first<S: AsyncSequence>(of sequence: S) async -> Result<S.Element, NetworkError> {
        do {
            for try await element in sequence { return .success(element) }
            return .failure(.noData)
        } catch {
            return .failure(error as? NetworkError ?? .transportError(error))
        }
    }
}

extension Result where Success == URL, Failure == NetworkError {
    fileprivate var text: Result<String, NetworkError> { contents.map { String(decoding: $0, as: UTF8.self) } }
}

extension LoopbackServer.Response {
    static var done: Self { .ok(RequestKind.body, headers: ["Content-Type": "text/event-stream", "ETag": "\"1\""]) }
}

extension LoopbackServer {
    /// A server that answers with these responses, one after the other, and from then on with the last one.
    static func inTurn(_ responses: Response...) throws -> LoopbackServer {
        let count = Monitor(0)
        return try LoopbackServer { request, connection in
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, responses.count - 1)
            }
            try responses[index].play(request, connection)
        }
    }
}

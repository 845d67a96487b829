import Dispatch
import Foundation
import URLSessionResultClient

struct Album: Decodable, Sendable {
    var id: Int
    var name: String
    var artist: String
    var year: Int
    var songs: Int
}

/// The ways to send a request that are held against each other.
enum Variant: String, CaseIterable {
    case rawCallback = "raw-callback"
    case callback
    case rawCallbackJSON = "raw-callback-json"
    case callbackJSON = "callback-json"
    case rawAsync = "raw-async"
    case async
    case rawAsyncJSON = "raw-async-json"
    case asyncJSON = "async-json"
    case rawUpload = "raw-upload"
    case upload
    case rawFileUpload = "raw-file-upload"
    case fileUpload = "file-upload"
    case client
    case clientWithMiddleware = "client-middleware"
    case clientWithAllMiddleware = "client-all-middleware"
}

/// Sends a number of requests, one after the other, in one of the ways. What is counted is left to whoever starts it.
@main
struct RequestOverhead {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let variant = Variant(rawValue: arguments[1]), let count = Int(arguments[2]),
            let url = URL(string: arguments[3])
        else {
            let usage = "usage: RequestOverhead \(Variant.allCases.map(\.rawValue).joined(separator: "|")) COUNT URL\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(1)
        }
        let end = DispatchSemaphore(value: 0)
        // Valgrind does not survive the end of the first thread, with which an asynchronous main function begins.
        Task.detached {
            let sender = try Sender(url: url)
            for _ in 0..<count {
                await sender.send(variant)
            }
            try FileManager.default.removeItem(at: sender.file)
            end.signal()
        }
        end.wait()
    }
}

private struct Sender {
    let session: URLSession
    let request: URLRequest
    let uploadRequest: URLRequest
    let body = Data(count: 10_000)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let jsonDecoder = JSONDecoder()
    let decoder = ResultDecoder.json(Album.self)
    let semaphore = DispatchSemaphore(value: 0)
    let endpoint: Endpoint<Album>
    let client: APIClient
    let clientWithMiddleware: APIClient
    let clientWithAllMiddleware: APIClient

    init(url: URL) throws {
        request = URLRequest(url: url)
        uploadRequest = URLRequest(url: url, method: .put)
        session = URLSession(configuration: .default)
        endpoint = Endpoint(.get, "\(url.lastPathComponent)")
        client = APIClient(baseURL: url.deletingLastPathComponent(), session: session)
        let usual: [any RequestMiddleware] = [Deadline(seconds: 60), Retry(), TokenAuthentication("token", for: url)]
        let log = RequestLog { _ in }
        clientWithMiddleware = APIClient(
            baseURL: url.deletingLastPathComponent(), session: session, middleware: usual + [log])
        clientWithAllMiddleware = APIClient(
            baseURL: url.deletingLastPathComponent(), session: session,
            middleware: usual + [Deduplication(), RequestLimit(atOnce: 4), log])
        try body.write(to: file)
    }

    func send(_ variant: Variant) async {
        switch variant {
        case .rawCallback:
            wait { session.rawData(with: request, completion: end) }
        case .callback:
            wait { session.dataTask(with: request, resultHandler: end) }
        case .rawCallbackJSON:
            wait { session.rawValue(with: request, decoder: jsonDecoder) { (result: Result<Album, _>) in end(result) } }
        case .callbackJSON:
            wait { session.dataTask(with: request, decoder: decoder, resultHandler: end) }
        case .rawAsync:
            check(await session.rawData(for: request))
        case .async:
            check(await session.dataResult(for: request))
        case .rawAsyncJSON:
            let result: Result<Album, RawError> = await session.rawValue(for: request, decoder: jsonDecoder)
            check(result)
        case .asyncJSON:
            check(await session.dataResult(for: request, decoder: decoder))
        case .rawUpload:
            check(await session.rawUpload(for: uploadRequest, from: body))
        case .upload:
            check(await session.uploadResult(for: uploadRequest, from: body))
        case .rawFileUpload:
            check(await session.rawUpload(for: uploadRequest, fromFile: file))
        case .fileUpload:
            check(await session.uploadResult(for: uploadRequest, fromFile: file))
        case .client:
            check(await client.result(for: endpoint))
        case .clientWithMiddleware:
            check(await clientWithMiddleware.result(for: endpoint))
        case .clientWithAllMiddleware:
            check(await clientWithAllMiddleware.result(for: endpoint))
        }
    }

    private func wait(for task: () -> URLSessionDataTask) {
        task().resume()
        semaphore.wait()
    }

    @Sendable private func end<Success, Failure>(_ result: Result<Success, Failure>) {
        check(result)
        semaphore.signal()
    }

    private func check<Success, Failure>(_ result: Result<Success, Failure>) {
        if case .failure(let error) = result {
            print(error)
            exit(1)
        }
    }
}

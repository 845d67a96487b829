import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

typealias OutcomeHandler = @Sendable (TaskOutcome) -> Void

/// What a completion handler was given.
struct TaskOutcome: Sendable {
    /// How much of the body of a refused download is kept for the error.
    private static let errorBodyLimit = 1 << 20

    var data: Data?
    var file: URL?
    var response: URLResponse?
    var error: (any Error)?

    /// The body of a data or an upload task, or why there is none.
    func data(accepting statusCodes: some Collection<Int>) -> DataResult {
        DataResult(data: data, response: response, error: error, accepting: statusCodes)
    }

    /// The body of a data task with its response, or why there is none.
    func response(accepting statusCodes: some Collection<Int>) -> Result<NetworkResponse<Data>, NetworkError> {
        data(accepting: statusCodes).flatMap { body in
            // A body comes only after a response.
            response.map { .success(NetworkResponse(body: body, urlResponse: $0)) } ?? .failure(.noData)
        }
    }

    /// The temporary file of a download task, or why there is none.
    func file(accepting statusCodes: some Collection<Int>) -> Result<URL, NetworkError> {
        // The funnel looks at whether there is a body; the bytes are read only for an error to carry.
        let body = file.map { _ in Data() }
        return switch NetworkError(data: body, response: response, error: error, accepting: statusCodes) {
        case .serverError(let statusCode, let response):
            .failure(.serverError(statusCode: statusCode, response: response.map { _ in errorBody }))
        case let failure?: .failure(failure)
        case nil: file.map(Result.success) ?? .failure(.noData)
        }
    }

    /// The beginning of the body of a refused download. That it cannot be read must not hide what the server said.
    private var errorBody: Data {
        guard let file else { return Data() }
        return (try? FileHandle(forReadingFrom: file).read(upToCount: Self.errorBodyLimit)) ?? Data()
    }
}

/// The tasks that everything public is made of, guarded, and with one value for what they end in.
extension URLSession {
    func dataTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDataTask {
        guarded(outcomeHandler) { handler in
            dataTask(with: request) { handler(TaskOutcome(data: $0, response: $1, error: $2)) }
        }
    }

    func uploadTask(
        with request: URLRequest, from bodyData: Data?, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        // FoundationNetworking ends the process when there is none.
        let bodyData = bodyData ?? Data()
        return guarded(outcomeHandler, body: bodyData) { handler in
            uploadTask(with: request, from: bodyData) { handler(TaskOutcome(data: $0, response: $1, error: $2)) }
        }
    }

    func downloadTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        guarded(outcomeHandler) { handler in
            downloadTask(with: request) { handler(TaskOutcome(file: $0, response: $1, error: $2)) }
        }
    }
}

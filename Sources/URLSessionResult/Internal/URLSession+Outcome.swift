import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The tasks that everything public is made of, guarded, and with one value for what they end in.
extension URLSession {
    func dataTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDataTask {
        guarded(outcomeHandler) { handler in
            dataTask(with: request) { handler(TaskOutcome(data: $0, response: $1, error: $2)) }
        }
    }

    func uploadTask(
        with request: URLRequest, from bodyData: Data, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        guarded(outcomeHandler) { handler in
            uploadTask(with: request, from: bodyData) { handler(TaskOutcome(data: $0, response: $1, error: $2)) }
        }
    }

    func downloadTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        guarded(outcomeHandler) { handler in
            downloadTask(with: request) { file, response, error in
                handler(TaskOutcome(file: file, response: response, error: error))
                file.map(FileManager.default.discardItem)
            }
        }
    }
}

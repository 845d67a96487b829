#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSession {
    /// Makes a task that fails: FoundationNetworking does not resume uploads.
    func makeUploadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeUploadTask(for: request, from: nil, outcomeHandler: handler)
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume downloads, and may crash if it is asked to.
    func makeDownloadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeDownloadTask(for: request, outcomeHandler: handler)
        }
    }
}

#endif

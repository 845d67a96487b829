import Foundation
internal import URLSessionResultTransport

extension NetworkError {
    /// The error of a request that is not sent, because a function that changes it has thrown.
    init(preparing error: any Error) {
        switch error {
        case let error as NetworkError: self = error
        case is CancellationError: self = .transportError(code: .cancelled)
        case let error as URLError: self = .transportError(error)
        default: self = .encodingError(error)
        }
    }
}

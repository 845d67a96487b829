import Foundation
internal import URLSessionResultTransport

extension NetworkError {
    /// The result of a request, after a function that was to change it has thrown.
    init(preparing error: any Error) {
        switch error {
        case let error as NetworkError: self = error
        case is CancellationError: self = .transportError(code: .cancelled)
        case let error as URLError: self = .transportError(error)
        default: self = .encodingError(error)
        }
    }
}

import Foundation
import URLSessionResult

extension NetworkError {
    /// What is beneath `URLError.userAuthenticationRequired`.
    var reasonForSignIn: NetworkError? {
        guard urlError?.code == .userAuthenticationRequired else { return nil }
        return urlError?.userInfo[NSUnderlyingErrorKey] as? NetworkError
    }
}

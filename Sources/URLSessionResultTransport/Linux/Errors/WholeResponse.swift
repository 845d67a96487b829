#if canImport(FoundationNetworking)

import Foundation

extension Error {
    /// Nil if the error only says that FoundationNetworking has lost a response that it had announced: libcurl succeeded then.
    ///
    /// A redirect or a challenge stays a failure, because no delegate was asked about it.
    func unlessComplete(_ response: URLResponse?) -> (any Error)? {
        // Workaround: trailers
        guard localizedDescription == "Transfer completed, but there's no response.",
            let response = response as? HTTPURLResponse, response.isFinal, !response.isUnannounced,
            response.statusCode != 401, response.statusCode != 407
        else { return self }
        return nil
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation

extension Error {
    /// Nil if FoundationNetworking has not found its response, which it has told: that happens only where libcurl succeeded.
    ///
    /// A redirect or a challenge stays a failure, because nobody was asked about it.
    func unlessComplete(_ response: URLResponse?) -> (any Error)? {
        guard localizedDescription == "Transfer completed, but there's no response.",
            let response = response as? HTTPURLResponse, response.isFinal,
            ![301, 302, 303, 307, 308, 401, 407].contains(response.statusCode)
        else { return self }
        return nil
    }
}

// Workaround: `URLSession` ends a whole response that has trailers with an error (up to Swift 6.3, it crashes)
// Instead: the library gives the response
// Kind: wrong result
// Needed by: Swift 6.4 to main
// Shown by: WorkaroundTests.trailers
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5285
// May go: this file

#endif

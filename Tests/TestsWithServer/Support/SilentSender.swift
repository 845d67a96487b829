#if canImport(FoundationNetworking)

import Foundation
import URLSessionResult

/// The sender of a challenge that a test makes. Nobody listens.
final class SilentSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}

    func cancel(_ challenge: URLAuthenticationChallenge) {}

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

#endif

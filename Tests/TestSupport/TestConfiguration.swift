import Foundation
import URLSessionResult

extension URLSessionConfiguration {
    /// A new configuration for the session of a test.
    ///
    /// What waits for a test may wait longer than a minute on a busy machine.
    ///
    /// With `CLASSIC_LOADING_MODE=false` in the environment, Apple's URLSession uses its new loader, which "will become
    /// the default in a future release" (release notes of macOS 15.4).
    static var forTests: URLSessionConfiguration {
        ExitTestLimit.begin
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 240
        #if !canImport(FoundationNetworking)
        // Ends what no documentation says that it ends, such as headers without an end.
        configuration.timeoutIntervalForResource = 30
        if #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) {
            let mode = ProcessInfo.processInfo.environment["CLASSIC_LOADING_MODE"]
            configuration.usesClassicLoadingMode = mode != "false"
        }
        #endif
        return configuration
    }
}

import ArgumentParser
import Foundation

extension URL: @retroactive ExpressibleByArgument {
    /// Reads a web address.
    public init?(argument: String) {
        guard let url = URL(string: argument), ["http", "https"].contains(url.scheme), url.host() != nil else {
            return nil
        }
        self = url
    }
}

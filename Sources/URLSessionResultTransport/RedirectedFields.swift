import Foundation

/// Which header fields a redirect takes along to another origin.
package enum RedirectedFields: Sendable {
    /// All except credentials and cookies, as Apple's `URLSession` does.
    case allButCredentials

    /// Those that describe the wanted content. Any other may be a secret, such as `X-Api-Key`.
    case descriptive

    /// The rule for the tasks that this Swift task makes.
    ///
    /// A task-local value, because the functions that make the tasks may be the caller's own.
    @TaskLocal package static var current = RedirectedFields.allButCredentials
}

extension URLRequest {
    /// Removes the header fields that this request has from another one, if its origin is another and they may be secret.
    package mutating func removeSecrets(of other: URLRequest) {
        // Equal URLs are the usual case, and cheaper to compare.
        guard url != other.url, url?.origin != other.url?.origin else { return }
        for (name, value) in other.allHTTPHeaderFields ?? [:]
        where !name.isDescriptive && self.value(forHTTPHeaderField: name) == value {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension String {
    /// Whether a header field of this name describes the wanted content.
    fileprivate var isDescriptive: Bool {
        let name = lowercased()
        return ["cache-control", "last-event-id", "range", "user-agent"].contains(name)
            || ["accept", "content-", "if-"].contains { name.hasPrefix($0) }
    }
}

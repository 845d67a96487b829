import Foundation

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// The scheme and the expiry: `AccessToken(Basic …, expiry: 2026-11-28 12:00:00 +0000)`. You may log it: it shows nothing of the value.
    public var description: String {
        let shownValue = (scheme.map { "\($0.withEscapedControls) " } ?? "") + "…"
        let shownExpiry = expiry.map { ", expiry: \($0)" } ?? ""
        return "AccessToken(\(shownValue)\(shownExpiry))"
    }

    /// The same as ``description``. A printed `Result` shows it.
    public var debugDescription: String { description }
}

extension AccessToken: CustomReflectable {
    /// A mirror without children: `dump(_:)` shows no more than ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

import Foundation

extension NetworkError {
    /// The time in seconds that the server asks you to wait, from `Retry-After` of the error response.
    ///
    /// At most a year; 0 for a date in the past; `nil` if the error has no response, or the field is missing or malformed. The field
    /// is a number of seconds or a date in one of three formats (RFC 9110, sections 10.2.3 and 5.6.7). A date is compared to the field
    /// `Date` of the response, because the clock of the device may be wrong, and to that clock if there is none.
    public var retryAfter: TimeInterval? { secondsUntilRetry(from: Date()) }

    /// As ``retryAfter``, with the time to which a date is compared if the response has no field `Date`.
    package func secondsUntilRetry(from now: Date) -> TimeInterval? {
        guard let value = response?.header("Retry-After"), !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return TimeInterval(value).map { min($0, Self.longestRetryAfter) }
        }
        let dateOfResponse = response?.header("Date").flatMap { Date(httpDate: $0) }
        return Date(httpDate: value).map {
            min(max(0, $0.timeIntervalSince(dateOfResponse ?? now)), Self.longestRetryAfter)
        }
    }

    /// A year. Nobody waits for longer, and a program that counts in nanoseconds must not crash.
    private static var longestRetryAfter: TimeInterval { 31_536_000 }
}

extension Date {
    /// Reads a date of HTTP in any of its three formats.
    fileprivate init?(httpDate text: String) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        let formats = ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"]
        let dates = formats.lazy.compactMap { format in
            formatter.dateFormat = format
            return formatter.date(from: text)
        }
        guard let date = dates.first else { return nil }
        self = date
    }
}

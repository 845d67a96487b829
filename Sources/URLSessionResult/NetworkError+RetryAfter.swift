import Foundation

extension NetworkError {
    /// The time in seconds that the server asks you to wait, from `Retry-After` of the error response.
    ///
    /// The field is a number of seconds or a date in one of three formats (RFC 9110, sections 10.2.3 and 5.6.7).
    ///
    /// - Parameter now: The time to which a date is compared, if the response has no field `Date`. The clock of the server counts,
    ///   because that of the device may be wrong.
    /// - Returns: The seconds, however many the server says, 0 for a date in the past, or `nil` if the error has no response or the field is missing or malformed.
    public func retryAfter(_ now: Date = Date()) -> TimeInterval? {
        guard let value = response?.header("Retry-After"), !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return TimeInterval(value)
        }
        let dateOfResponse = response?.header("Date").flatMap { Date(httpDate: $0) }
        return Date(httpDate: value).map { max(0, $0.timeIntervalSince(dateOfResponse ?? now)) }
    }
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

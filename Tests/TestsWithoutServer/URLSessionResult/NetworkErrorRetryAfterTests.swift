import Foundation
import Testing
import URLSessionResult

struct NetworkErrorRetryAfterTests {
    @Test(
        "Retry-After is a number, or a date in one of three formats",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("007", 7), ("soon", nil),
            ("-1", nil), ("1.5", nil), ("", nil), ("٣", nil), ("31536001", 31_536_000),
            (String(repeating: "9", count: 400), 31_536_000), ("Fri, 31 Dec 9999 23:59:59 GMT", 31_536_000),
        ] as [(String, TimeInterval?)])
    func retryAfter(_ value: String, seconds: TimeInterval?) throws {
        let error = NetworkError.serverError(statusCode: 503, response: try unavailable(["Retry-After": value]))
        #expect(error.secondsUntilRetry(from: Date(timeIntervalSince1970: 784_111_777)) == seconds)
        #expect(NetworkError.noData.retryAfter == nil)
    }

    @Test("Without a field Date, a date is compared to the clock of the device")
    func clock() throws {
        let numbers = NetworkError.serverError(statusCode: 503, response: try unavailable(["Retry-After": "7"]))
        #expect(numbers.retryAfter == 7)
        let past = try unavailable(["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"])
        #expect(NetworkError.serverError(statusCode: 503, response: past).retryAfter == 0)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let tomorrow = formatter.string(from: Date(timeIntervalSinceNow: 86_400))
        let future = try unavailable(["Retry-After": tomorrow])
        let seconds = try #require(NetworkError.serverError(statusCode: 503, response: future).retryAfter)
        #expect((seconds - 86_400).magnitude < 3600)
    }
}

#if canImport(FoundationNetworking)

import Foundation

extension Date {
    /// Reads the date of a cookie, of which servers write many forms (RFC 6265, section 5.1.1).
    ///
    /// It takes what looks like a time, a day, a month and a year, in this order of preference, from wherever it stands. So a
    /// weekday and a time zone don't count: every date is in UTC.
    ///
    /// - Parameter text: The value of `Expires`.
    init?(cookieDate text: String) {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.components(separatedBy: .dateSeparators) {
            if time == nil, let found = token.time {
                time = found
            } else if day == nil, let found = token.number(digits: 1...2) {
                day = found
            } else if month == nil, let found = token.month {
                month = found
            } else if year == nil, let found = token.number(digits: 2...4) {
                year = found.asFullYear
            }
        }
        guard let time, let day, let month, let year, year >= 1601 else { return nil }
        let components = DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: year, month: month, day: day,
            hour: time[0], minute: time[1], second: time[2])
        guard components.isValidDate, let date = components.date else { return nil }
        self = date
    }
}

extension String {
    /// Hours, minutes and seconds. Only the seconds may have something after them.
    fileprivate var time: [Int]? {
        let fields = components(separatedBy: ":")
        guard fields.count >= 3, (fields[0] + fields[1]).rangeOfCharacter(from: .otherThanDigits) == nil,
            let hours = fields[0].number(digits: 1...2),
            let minutes = fields[1].number(digits: 1...2),
            let seconds = fields[2].number(digits: 1...2)
        else { return nil }
        return [hours, minutes, seconds]
    }

    /// The number from 1 to 12 of a month, by the first three letters of its name.
    fileprivate var month: Int? {
        let name = prefix(3).lowercased()
        return ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
            .firstIndex(of: name).map { $0 + 1 }
    }

    /// The number at the beginning, if it has so many digits.
    fileprivate func number(digits count: ClosedRange<Int>) -> Int? {
        let digits = components(separatedBy: .otherThanDigits)[0]
        return count.contains(digits.utf8.count) ? Int(digits) : nil
    }
}

extension CharacterSet {
    /// What stands between the parts of a date: of ASCII, all but controls, digits, letters, and the colon.
    fileprivate static let dateSeparators = CharacterSet(charactersIn: "\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~")
    static let otherThanDigits = CharacterSet(charactersIn: "0"..."9").inverted
}

extension Int {
    /// A year of which the century may be missing.
    fileprivate var asFullYear: Int {
        switch self {
        case 70...99: self + 1900
        case 0...69: self + 2000
        default: self
        }
    }
}

#endif

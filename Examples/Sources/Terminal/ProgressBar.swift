import Foundation
import Synchronization

/// Shows progress on standard error: as a bar in a terminal, otherwise as a line for each tenth.
package final class ProgressBar: Sendable {
    private let columns: Int?
    private let write: @Sendable (String) -> Void
    private let shown = Mutex<Int?>(nil)

    /// - Parameters:
    ///   - columns: The width of the terminal, or `nil` if standard error is not a terminal.
    ///   - write: Writes the text. The default writes to standard error.
    package init(
        columns: Int? = terminalColumns,
        write: @escaping @Sendable (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
    ) {
        self.columns = columns
        self.write = write
    }

    /// Shows a fraction from 0 to 1. You can call it on any thread. It writes only if the text changes.
    package func show(_ fraction: Double) {
        let percent = Int((fraction * 100).rounded(.down))
        shown.withLock { shown in
            guard percent != shown else { return }
            if let columns {
                write("\r" + Self.bar(percent, columns: columns))
            } else if percent / 10 != shown.map({ $0 / 10 }) {
                write("\(percent) %\n")
            } else {
                return
            }
            shown = percent
        }
    }

    /// Ends the line of a bar that is complete.
    package func finish() {
        leave(by: "\n")
    }

    /// Erases the bar of a transfer that failed, so that the error message starts on an empty line.
    package func erase() {
        leave(by: "\r\u{1B}[K")
    }

    private func leave(by text: String) {
        shown.withLock { shown in
            if columns != nil, shown != nil { write(text) }
            shown = nil
        }
    }

    /// A bar of up to 40 cells. It leaves the last column free, because a full line would make the terminal scroll.
    private static func bar(_ percent: Int, columns: Int) -> String {
        let label = String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0) + "\(percent) %"
        let cells = max(0, min(40, columns - label.count - 2))
        guard cells > 0 else { return String(label.prefix(max(0, columns - 1))) }
        let filled = percent * cells / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
        return "\(bar) \(label)"
    }
}

/// The width of the terminal that standard error is connected to, or `nil` if it is not a terminal.
package var terminalColumns: Int? {
    let descriptor = FileHandle.standardError.fileDescriptor
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let status = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
}

import Foundation
import Synchronization

/// How far something has come, on standard error: a bar that fills in a terminal, a line for each tenth elsewhere.
package final class ProgressBar: Sendable {
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let shown = Mutex<Int?>(nil)

    package init(
        isTerminal: Bool = isatty(FileHandle.standardError.fileDescriptor) == 1,
        write: @escaping @Sendable (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
    ) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Shows a fraction from 0 to 1. May be called from anywhere; what has been shown already is not shown again.
    package func show(_ fraction: Double) {
        let percent = Int((fraction * 100).rounded(.down))
        shown.withLock { shown in
            guard isTerminal || percent / 10 != shown.map({ $0 / 10 }), percent != shown else { return }
            shown = percent
            write(isTerminal ? "\r" + bar(percent) : "\(percent) %\n")
        }
    }

    /// Leaves the line that the bar is on, once.
    package func end() {
        shown.withLock { shown in
            if isTerminal, shown != nil { write("\n") }
            shown = nil
        }
    }

    private func bar(_ percent: Int) -> String {
        let width = 40
        let filled = percent * width / 100
        let cells = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        return "\(cells) \(percent) %"
    }
}

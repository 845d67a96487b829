import Synchronization
import Testing

@testable import Terminal

@Suite("The progress bar")
struct ProgressBarTests {
    @Test("A terminal gets a bar that is redrawn for each per cent")
    func terminal() {
        let output = written(columns: 80) { bar in
            for fraction in [0, 0.001, 0.5, 0.509, 1] { bar.show(fraction) }
            bar.finish()
            bar.finish()
        }
        let empty = String(repeating: "░", count: 20)
        let full = String(repeating: "█", count: 20)
        #expect(output == ["\r\(empty)\(empty)   0 %", "\r\(full)\(empty)  50 %", "\r\(full)\(full) 100 %", "\n"])
    }

    @Test("The bar leaves the last column of a narrow terminal free", arguments: 1...60)
    func narrow(columns: Int) {
        let lines = written(columns: columns) { bar in
            for fraction in [0, 0.09, 0.5, 1] { bar.show(fraction) }
        }
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.dropFirst().count < columns })
        #expect(Set(lines.map(\.count)).count == 1)
    }

    @Test("A failure erases the bar, once")
    func failure() {
        let output = written(columns: 20) { bar in
            bar.show(0.5)
            bar.erase()
            bar.erase()
        }
        #expect(output.count == 2 && output.last == "\r\u{1B}[K")
    }

    @Test("Without a terminal each tenth is a line")
    func file() {
        let output = written(columns: nil) { bar in
            for percent in 0...100 { bar.show(Double(percent) / 100) }
            bar.finish()
        }
        #expect(output == stride(from: 0, through: 100, by: 10).map { "\($0) %\n" })
    }

    @Test("A bar that was never shown writes nothing", arguments: [80, nil])
    func nothing(columns: Int?) {
        let output = written(columns: columns) { bar in
            bar.finish()
            bar.erase()
        }
        #expect(output == [])
    }

    private func written(columns: Int?, while body: (ProgressBar) -> Void) -> [String] {
        let output = Output()
        body(ProgressBar(columns: columns) { output.append($0) })
        return output.texts
    }
}

private final class Output: Sendable {
    private let written = Mutex<[String]>([])

    var texts: [String] { written.withLock { $0 } }

    func append(_ text: String) {
        written.withLock { $0.append(text) }
    }
}

import Synchronization
import Testing

@testable import Terminal

@Suite("The progress bar")
struct ProgressBarTests {
    @Test("In a terminal each per cent redraws the line, once, and the end leaves it")
    func terminal() {
        let output = written(isTerminal: true) { bar in
            for fraction in [0, 0.001, 0.5, 0.509, 1] { bar.show(fraction) }
        }
        let empty = String(repeating: "░", count: 20)
        let full = String(repeating: "█", count: 20)
        #expect(output == ["\r\(empty)\(empty) 0 %", "\r\(full)\(empty) 50 %", "\r\(full)\(full) 100 %", "\n"])
    }

    @Test("Elsewhere each tenth is a line")
    func file() {
        let output = written(isTerminal: false) { bar in
            for percent in 0...100 { bar.show(Double(percent) / 100) }
        }
        #expect(output == stride(from: 0, through: 100, by: 10).map { "\($0) %\n" })
    }

    @Test("What was never shown leaves no line", arguments: [true, false])
    func nothing(isTerminal: Bool) {
        #expect(written(isTerminal: isTerminal) { _ in } == [])
    }

    private func written(isTerminal: Bool, while body: (ProgressBar) -> Void) -> [String] {
        let output = Output()
        let bar = ProgressBar(isTerminal: isTerminal) { output.append($0) }
        body(bar)
        bar.end()
        bar.end()
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

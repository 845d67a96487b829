import Foundation

/// Prints text as it is, without the buffer that `print` has when its output is not a terminal.
package func printAtOnce(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}

/// Prints a line to standard error.
package func printError(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}

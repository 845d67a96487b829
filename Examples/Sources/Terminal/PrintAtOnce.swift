import Foundation

/// Prints text as it is, without the buffer that `print` has when its output is not a terminal.
package func printAtOnce(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}

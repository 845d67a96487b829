import Foundation

extension Data {
    /// Whether these bytes are the beginning of a document of JSON in UTF-8, and not the whole of it.
    package var isCutOffJSON: Bool {
        withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            do {
                while try scanner.next(in: bytes) != nil {}
                return scanner.needsMore
            } catch {
                return false
            }
        }
    }
}

import Foundation
@testable import URLSessionResultJSON
@testable import TestSupport

/// Compares the elements of documents that libFuzzer makes up, read in pieces, with what `JSONDecoder` finds in the whole
/// document, with and without a path.
///
/// The first four bytes are the sizes of the first pieces. The rest is the document. The type of its elements is left to its
/// sum: one that reads everything, one that reads nothing, or a number.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let input = start.map { Data(bytes: $0, count: count) } ?? Data()
    let sizes = input.prefix(4).map { Int($0) }
    let document = Data(input.dropFirst(4))
    guard !JSONReference.mayCrash(on: document) else { return 0 }
    let disagreement =
        switch document.reduce(0, &+) % 3 {
        case 0: JSONElementsReference.disagreement(on: document, divided: [sizes], of: JSONContent.self)
        case 1: JSONElementsReference.disagreement(on: document, divided: [sizes], of: JSONUnread.self)
        default: JSONElementsReference.disagreement(on: document, divided: [sizes], of: Int?.self)
        }
    if let disagreement {
        // libFuzzer keeps the input of a process that ends like this.
        fatalError(disagreement)
    }
    return 0
}

import Foundation
@testable import URLSessionResult

/// Splits bodies that libFuzzer makes up piece by piece, and as a whole.
///
/// The first four bytes are the sizes of the first pieces. The rest is the body.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let input = start.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    let sizes = input.prefix(4).map { Int($0) }
    let body = Array(input.dropFirst(4))
    if let disagreement = LineReference.disagreement(on: body, inPiecesOf: sizes) {
        // libFuzzer keeps the input of a process that ends like this.
        fatalError(disagreement)
    }
    return 0
}

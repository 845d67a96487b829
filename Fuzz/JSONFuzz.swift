import Foundation
@testable import URLSessionResultJSON
@testable import TestSupport

/// Compares `json`, `jsonArray` and `jsonValues`, with and without a path, with `JSONDecoder` on documents that libFuzzer
/// makes up.
///
/// What may crash `JSONDecoder`, and what is JSON5, is decoded and not compared.
///
/// The bytes are the document. Which type its elements have is left to their sum, for each type has the decoders
/// read something else: everything, nothing, or numbers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let document = start.map { Data(bytes: $0, count: count) } ?? Data()
    decode(document, allowsJSON5: true)
    guard !JSONReference.mayCrash(on: document) else {
        decode(document, allowsJSON5: false)
        return 0
    }
    let disagreement =
        switch document.reduce(0, &+) % 3 {
        case 0: JSONReference.disagreement(on: document, of: JSONNode.self)
        case 1: JSONReference.disagreement(on: document, of: JSONOnlooker.self)
        default: JSONReference.disagreement(on: document, of: Int?.self)
        }
    if let disagreement {
        // libFuzzer keeps the document of a process that ends like this.
        fatalError(disagreement)
    }
    return 0
}

private func decode(_ document: Data, allowsJSON5: Bool) {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = allowsJSON5
    let json = SharedJSONDecoder.inParts(decoder)
    _ = try? json.value(Double.self, in: document)
    _ = try? json.array(of: Int.self, in: document)
    _ = try? json.values(of: JSONNode.self, in: document)
}

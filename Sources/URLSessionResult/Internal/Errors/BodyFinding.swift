import Foundation
internal import URLSessionResultJSON

extension Error {
    /// What a decoder failed on. If the body explains more than the error, the text says that the body is empty, that it starts
    /// with "<" where JSON was expected, or that it was cut off.
    ///
    /// Besides the names of members, that "<" is all that is ever shown of a body.
    func finding(in body: Data?) -> String {
        if let part { return "\(part.stringValue): \(part.error.finding(in: body))" }
        guard let body, let error = self as? DecodingError else { return finding }
        guard !body.isEmpty else { return "the body is empty" }
        guard case .dataCorrupted(let context) = error, context.isInvalidJSON,
            !(context.underlyingError is BeginningIsForgotten)
        else { return finding }
        switch body.firstByteOfContent {
        case nil: return "the body is empty"
        case UInt8(ascii: "<"): return "the body is not valid JSON (it starts with \"<\")"
        case _ where body.count != NetworkError.keptByteCount && body.isCutOffJSON:
            return "the body is not valid JSON (it was cut off after byte \(body.count))"
        case _ where context.underlyingError is JSONFault: return finding
        default: return body.placeOfMalformation.map { "the body is not valid JSON (\($0.finding))" } ?? finding
        }
    }
}

extension Data {
    /// The first byte after a byte order mark of UTF-8 and white space, or `nil` if there is none.
    fileprivate var firstByteOfContent: UInt8? {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = starts(with: byteOrderMark) ? dropFirst(byteOrderMark.count) : self
        return content.first { !whiteSpace.contains($0) }
    }
}

/// Space, tab, line feed and carriage return.
private let whiteSpace: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

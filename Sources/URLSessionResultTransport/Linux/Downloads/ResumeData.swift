#if canImport(FoundationNetworking)

import Foundation

/// What an interrupted download needs to go on. Callers get it as a property list.
///
/// It has no header fields of the request: they may be secret.
struct ResumeData: Codable, Sendable {
    /// The key of resume data in the `userInfo` of an error, on Apple's platforms, too.
    static let key = "NSURLSessionDownloadTaskResumeData"

    let url: URL

    /// The strong entity tag of the response (RFC 9110, section 8.8.1): with it, the rest belongs to the beginning.
    let entityTag: String

    /// The name of the kept file.
    let file: UUID

    /// The number of bytes that were kept.
    let length: Int64

    /// The number of bytes of the whole file, if it is known.
    var total: Int64?
}

extension ResumeData {
    /// - Returns: Nil if the property list does not come from this library.
    init?(propertyList: Data) {
        guard let decoded = try? PropertyListDecoder().decode(Self.self, from: propertyList),
            decoded.url.isForHTTP, decoded.entityTag.isStrongEntityTag, decoded.length > 0
        else { return nil }
        self = decoded
    }

    var propertyList: Data? { try? PropertyListEncoder().encode(self) }

    /// The request for the rest, or for the whole if the file is gone.
    var request: URLRequest {
        var request = URLRequest(url: url)
        guard KeptDownloads.length(of: file) ?? 0 >= length else { return request }
        request.requestRest(from: length, of: entityTag)
        return request
    }
}

extension HTTPURLResponse {
    /// The entity tag of a response whose body can be resumed: a whole one.
    var entityTagForResuming: String? {
        guard statusCode == 200, !isEncoded,
            value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none",
            let tag = value(forHTTPHeaderField: "ETag"), tag.isStrongEntityTag
        else { return nil }
        return tag
    }

    /// The length of the whole body if this response has all that follows the kept bytes.
    func wholeLength(continuing resumeData: ResumeData) -> Int64? {
        let tag = value(forHTTPHeaderField: "ETag")
        guard statusCode == 206, !isEncoded, tag == nil || tag == resumeData.entityTag,
            let range = contentRange, let total = range.total, range.first == resumeData.length,
            range.last == total - 1, total == resumeData.total ?? total
        else { return nil }
        return total
    }
}

#endif

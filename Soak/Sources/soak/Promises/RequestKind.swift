#if os(Linux)

import Foundation
import URLSessionResult

/// One way to send a request.
enum RequestKind: String, CaseIterable, Sendable {
    case data
    case upload
    case fileUpload = "upload of a file"
    case download
    case stream

    private static let uploadedBody = Data.blocks(12, ofSize: 1 << 18)

    /// Sends a request to its end. Cancelling the task cancels it.
    ///
    /// - Parameters:
    ///   - url: The address to send it to.
    ///   - timeout: The seconds without a byte after which the request gives up.
    ///   - session: The session to send it in.
    /// - Returns: The body of the response.
    func send(to url: URL, timeout: TimeInterval = 60, in session: URLSession) async -> DataResult {
        var request = URLRequest(url: url, method: uploads ? .put : .get)
        request.timeoutInterval = timeout
        return await send(request, in: session)
    }

    private var uploads: Bool { self == .upload || self == .fileUpload }

    /// How many bytes it sends.
    var lengthOfBody: Int { uploads ? Self.uploadedBody.count : 0 }

    private func send(_ request: URLRequest, in session: URLSession) async -> DataResult {
        switch self {
        case .data:
            await session.dataResult(for: request)
        case .upload:
            await session.uploadResult(for: request, from: Self.uploadedBody)
        case .fileUpload:
            await TemporaryFolder().using(Self.uploadedBody) { file in
                await session.uploadResult(for: request, fromFile: file)
            }
        case .download:
            await session.downloadResult(for: request, decoder: .data)
        case .stream:
            await session.bytesResult(for: request).collected()
        }
    }
}

#endif

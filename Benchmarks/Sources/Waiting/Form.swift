import Foundation
import URLSessionResult

/// A way to send a request: by the library, or by `URLSession` alone.
enum Form: String, CaseIterable, Sendable {
    case data, download, upload, stream
    case fileUpload = "file-upload"
    case streamUpload = "stream-upload"
    case dataAlone = "data-alone"
    case downloadAlone = "download-alone"
    case uploadAlone = "upload-alone"
    case streamAlone = "stream-alone"
    case fileUploadAlone = "file-upload-alone"
    case streamUploadAlone = "stream-upload-alone"

    /// Sends a request in a session of its own, which is on a new connection.
    func send(to url: URL, with body: Body) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: url)
        if sendsBody { request.httpMethod = "PUT" }
        if self == .streamUpload || self == .streamUploadAlone { request.httpBodyStream = InputStream(data: body.data) }
        switch self {
        case .data, .streamUpload:
            _ = try await session.dataResult(for: request).get()
        case .download:
            let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
            _ = try await session.downloadResult(for: request, to: file).get()
            try FileManager.default.removeItem(at: file)
        case .upload:
            _ = try await session.uploadResult(for: request, from: body.data).get()
        case .fileUpload:
            _ = try await session.uploadResult(for: request, fromFile: body.file).get()
        case .stream:
            for try await _ in try await session.bytesResult(for: request).get().body.chunks {}
        case .dataAlone, .streamUploadAlone:
            _ = try await session.data(for: request)
        case .downloadAlone:
            let (file, _) = try await session.download(for: request)
            try FileManager.default.removeItem(at: file)
        case .uploadAlone:
            _ = try await session.upload(for: request, from: body.data)
        case .fileUploadAlone:
            _ = try await session.upload(for: request, fromFile: body.file)
        case .streamAlone:
            try await Receiver.receive(request)
        }
    }

    private var sendsBody: Bool { rawValue.contains("upload") }
}

/// The delegate of a session that gets a body while it arrives.
///
/// It has nothing that changes: the continuation is that of the one task.
private final class Receiver: NSObject, URLSessionDataDelegate {
    private let end: CheckedContinuation<Void, any Error>

    private init(_ end: CheckedContinuation<Void, any Error>) { self.end = end }

    static func receive(_ request: URLRequest) async throws {
        try await withCheckedThrowingContinuation { end in
            let session = URLSession(configuration: .ephemeral, delegate: Receiver(end), delegateQueue: nil)
            session.dataTask(with: request).resume()
            session.finishTasksAndInvalidate()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { end.resume(throwing: error) } else { end.resume() }
    }
}

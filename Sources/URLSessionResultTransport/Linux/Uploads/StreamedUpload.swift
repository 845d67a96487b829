#if canImport(FoundationNetworking)

import Foundation

/// A task that reads its body from a stream, and says why the stream has failed.
final class StreamedUpload: Load {
    private let task: URLSessionTask
    private let failureOfStream: Locked<(any Error)?>
    private let length: Int?

    /// - Parameters:
    ///   - task: The task.
    ///   - failureOfStream: Where the stream puts the reason of its failure.
    ///   - length: The length of the body if the library announces it.
    init(task: URLSessionTask, failureOfStream: Locked<(any Error)?>, length: Int? = nil) {
        self.task = task
        self.failureOfStream = failureOfStream
        self.length = length
    }

    var countOfBytesExpectedToSend: Int64 { length.map { Int64($0) } ?? task.countOfBytesExpectedToSend }
    var response: URLResponse? { task.response }
    var statusCodeOfServer: Int? { task.statusCodeOfServer }
    var countOfBytesSent: Int64 { task.countOfBytesSent }

    /// Why the body could not be read to its end.
    var failure: (any Error)? { failureOfStream.withLock { $0 } }

    func start() { task.start() }
    func stop() { task.stop() }
}

extension URLRequest {
    /// What is sent piece by piece: a long body, each one in chunks, and an empty one that must not be sent twice.
    ///
    /// If its connection is lost, a stream alone can end a body in chunks as one that is cut off. Of any other, FoundationNetworking
    /// sends the last chunk, and the server takes it for whole. And libcurl sends a request without a body again by itself, but
    /// asks for a stream that it has read.
    func streamedBody(ofUpload body: UploadBody?) -> UploadBody? {
        let body = body ?? httpBody.map { .data($0) } ?? .data(Data())
        if body.isStreamed { return body }
        // Workaround: keptConnection
        if body.length == 0 { return isIdempotent ? nil : body }
        return value(forHTTPHeaderField: "Transfer-Encoding") != nil ? body : nil
    }

    /// The request with a stream as its body, and with the fields that keep the stream from changing the request.
    ///
    /// FoundationNetworking does not know how long a stream is, so libcurl would send it in chunks. It does not if there is a
    /// `Content-Length`, and a blank `Transfer-Encoding`, which libcurl leaves out: an empty one would be sent. A caller who asks
    /// for chunks gets them.
    func sending(_ stream: UploadStream, ofLength length: Int) -> URLRequest {
        var request = self
        request.httpBodyStream = stream
        if value(forHTTPHeaderField: "Transfer-Encoding") == nil {
            request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        }
        // Otherwise FoundationNetworking would set the content type of a form, as for no other body of an upload.
        if value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue(" ", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}

#endif

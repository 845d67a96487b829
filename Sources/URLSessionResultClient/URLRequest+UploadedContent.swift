import Foundation
internal import URLSessionResultTransport

// What a client sends in place of `httpBody`. It is kept with the call and not in the request: FoundationNetworking copies only its
// own properties of a request, and a body stream would mean that the request can be sent only once.
extension URLRequest {
    /// The file that a client sends with this request in place of `httpBody`, for middleware that signs it, or `nil`.
    ///
    /// It is that of ``RequestBody/file(_:contentType:)``, for the middleware of the client that sends the endpoint. A request with a body,
    /// another method or another URL (except its query) is one that the middleware makes itself, and has none. So read it before you
    /// change the method or the URL. Requests of a refresh have none, either. If middleware sets
    /// `httpBody` or `httpBodyStream` of a request that sends a file or a form, the result is `NetworkError.encodingError`, and nothing is
    /// sent.
    public var uploadedFile: URL? {
        if case .file(let file) = uploadedContent { file } else { nil }
    }

    /// The form that a client sends with this request in place of `httpBody`, for middleware that signs it, or `nil`, as
    /// ``uploadedFile`` is the file. Its bytes are those of ``MultipartForm/data()``.
    public var uploadedForm: MultipartForm? {
        if case .multipart(let form) = uploadedContent { form } else { nil }
    }

    /// Whether its body can be read only once: a stream, or a pipe in place of a file.
    var isReadOnce: Bool {
        httpBodyStream != nil || uploadedContent?.files.contains { (try? $0.isRegularFile) == false } == true
    }

    /// What the client sends with this request. Nil if the request has a body of its own: then the client sends that.
    var uploadedContent: RequestBody.Content? {
        guard httpBody == nil, httpBodyStream == nil else { return nil }
        return Surroundings.current.call(of: self)?.content
    }
}

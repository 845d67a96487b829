import Foundation

/// What the request that is being sent sends besides `httpBody`.
///
/// A task-local value, because it is none of the request: of what a request has, FoundationNetworking keeps nothing but its own when it is
/// copied, and a stream would say that it can be sent only once.
enum UploadedContent {
    @TaskLocal static var current: RequestBody.Content?
}

extension URLRequest {
    /// The file that a client sends with this request in place of `httpBody`, for middleware that signs it, or `nil`.
    ///
    /// It is that of ``RequestBody/file(_:contentType:)``, for the middleware of the client that sends the endpoint. If middleware sets
    /// `httpBody` or `httpBodyStream` of a request that sends a file or a form, the result is `NetworkError.encodingError`, and nothing is
    /// sent.
    public var uploadedFile: URL? {
        if case .file(let file) = UploadedContent.current { file } else { nil }
    }

    /// The form that a client sends with this request in place of `httpBody`, for middleware that signs it, or `nil`, as
    /// ``uploadedFile`` is the file. Its bytes are those of ``MultipartForm/data()``.
    public var uploadedForm: MultipartForm? {
        if case .multipart(let form) = UploadedContent.current { form } else { nil }
    }
}

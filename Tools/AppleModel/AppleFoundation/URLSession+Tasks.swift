extension URLSession {
    public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    public typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        URLSessionDataTask(of: self, request, to: .delegate)
    }

    public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

    public func dataTask(with request: URLRequest, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
        URLSessionDataTask(of: self, request, to: .data(completionHandler))
    }

    public func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        URLSessionUploadTask(of: self, request, sending: .data(bodyData), to: .delegate)
    }

    public func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping DataHandler
    ) -> URLSessionUploadTask {
        URLSessionUploadTask(of: self, request, sending: .data(bodyData ?? Data()), to: .data(completionHandler))
    }

    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        URLSessionUploadTask(of: self, request, sending: .file(fileURL), to: .delegate)
    }

    public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataHandler
    ) -> URLSessionUploadTask {
        URLSessionUploadTask(of: self, request, sending: .file(fileURL), to: .data(completionHandler))
    }

    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        URLSessionDownloadTask(of: self, request, to: .delegate)
    }

    public func downloadTask(
        with request: URLRequest, completionHandler: @escaping FileHandler
    ) -> URLSessionDownloadTask {
        URLSessionDownloadTask(of: self, request, to: .file(completionHandler))
    }

    /// The model makes no resume data. Such as are none fail the task: swift-corelibs-foundation, test_invalidResumeDataForDownloadTask.
    public func downloadTask(
        withResumeData resumeData: Data, completionHandler: @escaping FileHandler
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: URL(fileURLWithPath: "/")), completionHandler: completionHandler)
    }

    /// "nil if the resumeData is invalid", although the type says otherwise.
    // Source: https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withresumedata:completionhandler:)
    public func uploadTask(
        withResumeData resumeData: Data, completionHandler: @escaping DataHandler
    ) -> URLSessionUploadTask {
        unsafeBitCast(UnsafeRawPointer?.none, to: URLSessionUploadTask.self)
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlsession/data(for:delegate:)
extension URLSession {
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await run(with: delegate) { dataTask(with: request, completionHandler: $0) }
    }

    public func data(from url: URL) async throws -> (Data, URLResponse) { try await data(for: URLRequest(url: url)) }

    public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
        try await run { uploadTask(with: request, from: bodyData, completionHandler: $0) }
    }

    public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
        try await run { uploadTask(with: request, fromFile: fileURL, completionHandler: $0) }
    }

    private func run(
        with delegate: (any URLSessionTaskDelegate)? = nil, _ makeTask: (@escaping DataHandler) -> URLSessionTask
    ) async throws -> (Data, URLResponse) {
        try await withCheckedThrowingContinuation { continuation in
            let task = makeTask { data, response, error in
                guard let data, let response else {
                    return continuation.resume(throwing: error ?? URLError(.unknown))
                }
                continuation.resume(returning: (data, response))
            }
            task.delegate = delegate
            task.resume()
        }
    }
}

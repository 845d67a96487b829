import Foundation
internal import URLSessionResultTransport

/// Counterparts of `dataTask(with:completionHandler:)`.
extension URLSession {
    /// Creates a task that gives the body of the response, or the reason why there is none.
    ///
    /// ```swift
    /// session.dataTask(with: request) { result in
    ///     switch result {
    ///     case .success(let body): print(body.count)
    ///     case .failure(let error): print(error.localizedDescription)
    ///     }
    /// }.resume()
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - resultHandler: A function that is called once, on the session's delegate queue: with the body, or with
    ///     ``NetworkError/transportError(_:)`` (`URLError.cancelled` if you cancel the task),
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func dataTask(
        with request: URLRequest, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask {
        makeDataTask(for: request) { outcome in
            resultHandler(outcome.data(accepting: codes))
        }
    }

    /// Creates a task that only reports whether the request failed, for when the body does not matter.
    ///
    /// As ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``, but the handler gets the error, or `nil` for success.
    ///
    /// Write the label `errorHandler:`. A closure without a label is a `resultHandler:`, so
    /// `{ if $0 == nil { … } }` after the parentheses compiles, with a warning, and never finds `nil`.
    @_disfavoredOverload
    public func dataTask(
        with request: URLRequest, accepting codes: some StatusCodes = 200..<300, errorHandler: @escaping ErrorHandler
    ) -> URLSessionDataTask {
        dataTask(with: request, accepting: codes) { result in
            errorHandler(result.failure)
        }
    }

    /// Creates a task that gives the decoded body of the response, or the reason why there is none.
    ///
    /// ```swift
    /// session.dataTask(with: url, decoder: .json([Album].self)) { result in
    ///     switch result {
    ///     case .success(let albums): print(albums.count)
    ///     case .failure(let error): print(error.localizedDescription)
    ///     }
    /// }.resume()
    /// ```
    ///
    /// As ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``. The handler also gets
    /// ``NetworkError/decodingError(_:response:)``, or an error that the decoder gives.
    ///
    /// The decoder runs on the session's delegate queue, too, by default one body after another;
    /// ``dataResult(for:decoder:accepting:delegate:progress:)`` decodes elsewhere.
    public func dataTask<T>(
        with request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask {
        makeDataTask(for: request, collecting: decoder.metricsToCollect) { outcome in
            resultHandler(decoder.decode(received: outcome.body(accepting: codes)))
        }
    }

    /// Creates a task for the body at a URL, as ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)`` does.
    public func dataTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that only reports whether the request for a URL failed, as
    /// ``dataTask(with:accepting:errorHandler:)-(URLRequest,_,_)`` does.
    @_disfavoredOverload
    public func dataTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, errorHandler: @escaping ErrorHandler
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), accepting: codes, errorHandler: errorHandler)
    }

    /// Creates a task for the decoded body at a URL, as
    /// ``dataTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)`` does.
    public func dataTask<T>(
        with url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), decoder: decoder, accepting: codes, resultHandler: resultHandler)
    }
}

/// Counterparts of `data(for:delegate:)` and `data(from:delegate:)`.
extension URLSession {
    /// Gets the body of the response, or the reason why there is none.
    ///
    /// ```swift
    /// let result = await session.dataResult(
    ///     for: request, accepting: [200, 201])
    /// ```
    ///
    /// A closure after the parentheses is `progress:`, not a handler of the result.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - delegate: An object that is asked before the session's delegate, on its queue, about challenges and redirects of
    ///     this request. On Apple's platforms, it also gets the metrics (see also ``NetworkResponse/metrics``). The session's
    ///     delegate decides what this one has no method for, and on Linux what it leaves to the default, too. It is kept until
    ///     the request is over.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``, ``NetworkError/serverError(statusCode:response:)`` or
    ///   ``NetworkError/noData``. Cancelling the Swift task cancels the request. The transport error is then
    ///   `URLError.cancelled`.
    @concurrent
    public func dataResult(
        for request: URLRequest, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes) { handler in
            dataTask(with: request, accepting: codes, resultHandler: handler)
        }
    }

    /// Gets the decoded body of the response, or the reason why there is none.
    ///
    /// ```swift
    /// do {
    ///     let albums = try await session.dataResult(
    ///         for: request, decoder: .json([Album].self)
    ///     ).get()
    ///     print(albums.count)
    /// } catch .serverError(let statusCode, _) {
    ///     print("The server answered with status \(statusCode).")
    /// } catch {
    ///     print(error.localizedDescription)
    /// }
    /// ```
    ///
    /// As ``dataResult(for:accepting:delegate:progress:)``. The error may also be
    /// ``NetworkError/decodingError(_:response:)``, or one that the decoder gives. The decoder runs off your actor and off the
    /// session's delegate queue.
    @concurrent
    public func dataResult<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        let body = await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes) { handler in
            makeDataTask(for: request, collecting: decoder.metricsToCollect) { outcome in
                handler(outcome.body(accepting: codes))
            }
        }
        return decoder.decode(received: body)
    }

    /// Gets the body at a URL, as ``dataResult(for:accepting:delegate:progress:)`` does.
    @concurrent
    public func dataResult(
        from url: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await dataResult(for: URLRequest(url: url), accepting: codes, delegate: delegate, progress: progress)
    }

    /// Gets the decoded body at a URL, as ``dataResult(for:decoder:accepting:delegate:progress:)`` does.
    @concurrent
    public func dataResult<T>(
        from url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await dataResult(
            for: URLRequest(url: url), decoder: decoder, accepting: codes, delegate: delegate, progress: progress)
    }
}

import Foundation

/// Twins of `dataTask(with:completionHandler:)`.
///
/// Handlers run on the session's delegate queue, once for every task that is resumed or cancelled.
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
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the body, or with ``NetworkError/transportError(_:)``,
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
    /// Write the label `errorHandler:`. A closure without a label is a `resultHandler:`, so
    /// `{ if $0 == nil { … } }` after the parentheses compiles, with a warning, and never finds `nil`.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: A function that is called once with `nil` for success, or with
    ///     ``NetworkError/transportError(_:)``, ``NetworkError/serverError(statusCode:response:)`` or
    ///     ``NetworkError/noData``.
    /// - Returns: The task. It is suspended; call `resume()`.
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
    /// The decoder and the handler run once, on the session's delegate queue. By default, that queue decodes one body
    /// after another; the `async` twin ``dataResult(for:decoder:accepting:progress:)`` decodes elsewhere. If you cancel
    /// the task, the handler gets ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: The decoder for the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the value, or with any ``NetworkError`` except
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func dataTask<T>(
        with request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask {
        makeDataTask(for: request) { outcome in
            resultHandler(decoder.decode(received: outcome.body(accepting: codes)))
        }
    }

    /// Creates a task that gives the body at a URL, or the reason why there is none.
    ///
    /// The handler runs once, on the session's delegate queue.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func dataTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that only reports whether the request for a URL failed.
    ///
    /// Write the label `errorHandler:`. A closure without a label is a `resultHandler:`. The handler runs once, on the
    /// session's delegate queue.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: As for ``dataTask(with:accepting:errorHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    @_disfavoredOverload
    public func dataTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, errorHandler: @escaping ErrorHandler
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), accepting: codes, errorHandler: errorHandler)
    }

    /// Creates a task that gives the decoded body at a URL, or the reason why there is none.
    ///
    /// The decoder and the handler run once, on the session's delegate queue.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - decoder: The decoder for the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``dataTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func dataTask<T>(
        with url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), decoder: decoder, accepting: codes, resultHandler: resultHandler)
    }
}

/// Twins of `data(for:)` and `data(from:)`.
///
/// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
/// `URLError.cancelled`. Bodies are decoded off your actor and off the session's delegate queue.
extension URLSession {
    /// Gets the body of the response, or the reason why there is none.
    ///
    /// ```swift
    /// let result = await session.dataResult(
    ///     for: request, accepting: [200, 201])
    /// ```
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`. A closure after the parentheses is `progress:`, not a handler of the result.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``,
    ///   ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    @concurrent
    public func dataResult(
        for request: URLRequest, accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(reportingTo: progress) { handler in
            makeDataTask(for: request) { outcome in
                handler(outcome.data(accepting: codes))
            }
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
    /// The decoder runs off your actor and off the session's delegate queue. Cancelling the Swift task cancels the
    /// request. The result is then ``NetworkError/transportError(_:)`` with `URLError.cancelled`. A closure after the
    /// parentheses is `progress:`, not a handler of the result.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: The decoder for the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The value, or any ``NetworkError`` except ``NetworkError/encodingError(_:)``.
    @concurrent
    public func dataResult<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await awaitResult(reportingTo: progress, decoder: decoder) { handler in
            makeDataTask(for: request) { outcome in
                handler(outcome.body(accepting: codes))
            }
        }
    }

    /// Gets the body at a URL, or the reason why there is none.
    ///
    /// Cancelling the Swift task cancels the request. A closure after the parentheses is `progress:`, not a handler of the
    /// result.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: As ``dataResult(for:accepting:progress:)``.
    @concurrent
    public func dataResult(
        from url: URL, accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await dataResult(for: URLRequest(url: url), accepting: codes, progress: progress)
    }

    /// Gets the decoded body at a URL, or the reason why there is none.
    ///
    /// The decoder runs off your actor and off the session's delegate queue. Cancelling the Swift task cancels the
    /// request. A closure after the parentheses is `progress:`, not a handler of the result.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - decoder: The decoder for the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: As ``dataResult(for:decoder:accepting:progress:)``.
    @concurrent
    public func dataResult<T>(
        from url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await dataResult(for: URLRequest(url: url), decoder: decoder, accepting: codes, progress: progress)
    }
}

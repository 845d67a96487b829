import Foundation

// Answers to two mistakes that newcomers make: to pass a type, or a `JSONDecoder`, where a `ResultDecoder` is expected. Without
// these overloads, the compiler says that a generic parameter cannot be inferred, and not what to write.
//
// Each comes twice: one takes the type of its result from the context, the other is for code that names no type. What they
// take for a decoder is an existential type. A leading dot cannot begin with one, as it could with `T.Type`. There, the
// compiler would lose its message about a mistake within `.json([Album].self).map { … }`. It loses the one about a misspelt
// key path in place of the closure all the same: `Tests/Mistakes` has both.

/// A type in place of a decoder.
@available(*, unavailable, message: "use `.json([Album].self)`, with your type for [Album]")
extension URLSession {
    /// The type of the result is known. `Any` is a URL or a request.
    @_documentation(visibility: internal)
    public func dataTask<T>(
        with request: Any, decoder: any Decodable.Type, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask { cannotBeCalled() }

    /// The type of the result is not known. `Any` is a URL or a request.
    @_disfavoredOverload @_documentation(visibility: internal)
    public func dataTask(
        with request: Any, decoder: any Decodable.Type, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask { cannotBeCalled() }

    /// The type of the result is known.
    @_documentation(visibility: internal)
    public func dataResult<T>(
        for request: URLRequest, decoder: any Decodable.Type, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> { cannotBeCalled() }

    /// The type of the result is not known.
    @_disfavoredOverload @_documentation(visibility: internal)
    public func dataResult(
        for request: URLRequest, decoder: any Decodable.Type, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult { cannotBeCalled() }

    /// The type of the result is known.
    @_documentation(visibility: internal)
    public func dataResult<T>(
        from url: URL, decoder: any Decodable.Type, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> { cannotBeCalled() }

    /// The type of the result is not known.
    @_disfavoredOverload @_documentation(visibility: internal)
    public func dataResult(
        from url: URL, decoder: any Decodable.Type, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult { cannotBeCalled() }
}

/// A parser in place of a decoder.
@available(*, unavailable, message: "use `.json([Album].self, using: decoder)`, or `.decodable` for other formats")
extension URLSession {
    /// The type of the result is known. `Any` is a URL or a request.
    @_documentation(visibility: internal)
    public func dataTask<T>(
        with request: Any, decoder: any DataDecoding, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask { cannotBeCalled() }

    /// The type of the result is not known. `Any` is a URL or a request.
    @_disfavoredOverload @_documentation(visibility: internal)
    public func dataTask(
        with request: Any, decoder: any DataDecoding, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask { cannotBeCalled() }

    /// The type of the result is known.
    @_documentation(visibility: internal)
    public func dataResult<T>(
        for request: URLRequest, decoder: any DataDecoding, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> { cannotBeCalled() }

    /// The type of the result is not known.
    @_disfavoredOverload @_documentation(visibility: internal)
    public func dataResult(
        for request: URLRequest, decoder: any DataDecoding, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult { cannotBeCalled() }

    /// The type of the result is known.
    @_documentation(visibility: internal)
    public func dataResult<T>(
        from url: URL, decoder: any DataDecoding, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> { cannotBeCalled() }

    /// The type of the result is not known.
    @_disfavoredOverload @_documentation(visibility: internal)
    public func dataResult(
        from url: URL, decoder: any DataDecoding, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult { cannotBeCalled() }
}

/// The body of an unavailable function: the compiler requires one, and rejects every call.
func cannotBeCalled() -> Never { fatalError() }

import Foundation
internal import URLSessionResultTransport

/// What the public methods make of the outcome of a task.
extension TaskOutcome {
    /// The body of a data or upload task, or the reason why there is none.
    func data(accepting codes: some Collection<Int>) -> DataResult {
        DataResult(data: data, response: response, error: error, accepting: codes)
    }

    /// The body of a data or upload task with its response, or the reason why there is none.
    func body(accepting codes: some Collection<Int>) -> Result<ReceivedBody, NetworkError> {
        data(accepting: codes)
            .map { data in ReceivedBody(data: data, response: response, metrics: metrics) }
            .mapError { error in error.adding(metrics) }
    }

    /// The memory-mapped body of a download task with its response, or the reason why there is none. The file is removed.
    func mappedBody(accepting codes: some Collection<Int>) -> Result<ReceivedBody, NetworkError> {
        defer { removeFile() }
        return file(accepting: codes).tryMap { file in
            ReceivedBody(data: try file.mapped(), response: response, metrics: metrics)
        }
    }

    /// The temporary file of a download task. Without a success, it is removed.
    func temporaryFile(accepting codes: some Collection<Int>) -> Result<URL, NetworkError> {
        removingFile(afterFailure: file(accepting: codes))
    }

    /// The file of a download task at its destination. Without a success, no file is left.
    func file(placedAt destination: URL, accepting codes: some Collection<Int>) -> Result<URL, NetworkError> {
        removingFile(afterFailure: file(accepting: codes).tryMap { try $0.placed(at: destination) })
    }

    /// The file of a download task at its destination, with its response. Without a success, no file is left.
    func fileResponse(
        placedAt destination: URL, accepting codes: some Collection<Int>
    ) -> Result<NetworkResponse<URL>, NetworkError> {
        let placed = fileResponse(accepting: codes).tryMap { response in
            try response.map { file in try file.placed(at: destination) }
        }
        return removingFile(afterFailure: placed)
    }

    private func removingFile<Success>(
        afterFailure result: Result<Success, NetworkError>
    ) -> Result<Success, NetworkError> {
        if case .failure = result { removeFile() }
        return result
    }

    /// Removes the temporary file before the handler gets the result: the handler may exit the program, and then URLSession does
    /// not remove the file.
    private func removeFile() {
        guard let file else { return }
        try? FileManager.default.removeItem(at: file)
    }

    /// The temporary file of a download task with its response, or the reason why there is none.
    func fileResponse(accepting codes: some Collection<Int>) -> Result<NetworkResponse<URL>, NetworkError> {
        file(accepting: codes).flatMap { file in
            guard let response else { return .failure(.transportError(code: .badServerResponse)) }
            return .success(NetworkResponse(body: file, urlResponse: response, collecting: metrics))
        }
    }

    /// The file of a download, or the reason why there is none.
    ///
    /// A ``NetworkError/serverError(statusCode:response:)`` keeps the beginning of the body.
    func file(accepting codes: some Collection<Int>) -> Result<URL, NetworkError> {
        // The body of a download is in its file. `NetworkError.init` takes missing data for a missing body, so it gets empty data.
        let body = data ?? file.map { _ in Data() }
        switch NetworkError(data: body, response: response, error: error, accepting: codes) {
        case nil:
            return file.map(Result.success) ?? .failure(.noData)
        case .serverError(let statusCode, let response) where error == nil:
            let response = response.map { _ in beginningOfFile }
            return .failure(.serverError(statusCode: statusCode, response: response).adding(metrics))
        case let error?:
            return .failure(error)
        }
    }

    /// The first bytes of the file.
    ///
    /// It is read and not mapped, because a mapping would keep the whole file. If it cannot be read, it is empty: the
    /// status code and the headers of an error response matter more.
    var beginningOfFile: Data {
        guard let file else { return Data() }
        return (try? FileHandle(forReadingFrom: file).read(upToCount: NetworkError.keptByteCount)) ?? Data()
    }
}

extension Result where Failure == NetworkError {
    /// Maps the value with a function that works on a file. An error of the function becomes a transport error.
    fileprivate func tryMap<T>(_ transform: (Success) throws -> T) -> Result<T, NetworkError> {
        flatMap { value in
            Result<T, any Error> { try transform(value) }.mapError { .transportError($0) }
        }
    }
}

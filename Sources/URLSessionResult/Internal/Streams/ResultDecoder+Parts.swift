import Foundation
internal import URLSessionResultJSON

extension ResultDecoder {
    /// Decodes a part of a body, such as a line. The coding path of an error begins with `path`, which may depend on the error.
    @concurrent
    func decode(
        part: ReceivedBody, at path: @Sendable (any Error) -> [any CodingKey]
    ) async throws(NetworkError) -> sending T {
        try result(of: part, at: path).get()
    }

    /// Decodes elements of the body of a response, and leaves out those that cannot be decoded and are to be skipped.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - firstIndex: The position of the first one.
    ///   - response: The response that has them.
    ///   - invalidElements: What to do with those that cannot be decoded.
    /// - Returns: The value or the error of each one that is not skipped.
    @concurrent
    func decode(
        _ elements: [JSONElement], from firstIndex: Int, of response: URLResponse,
        orTreatAs invalidElements: InvalidElements
    ) async -> sending [Result<T, NetworkError>] {
        var results: [Result<T, NetworkError>] = []
        for (offset, element) in elements.enumerated() {
            let result = result(of: ReceivedBody(data: element.bytes, response: response)) { _ in element.codingPath }
            if case .failure(let error) = result, let report = invalidElements.report {
                report(firstIndex + offset, error)
            } else {
                results.append(result)
            }
        }
        return results
    }

    private func result(
        of part: ReceivedBody, at path: (any Error) -> [any CodingKey]
    ) -> sending Result<T, NetworkError> {
        switch decode(received: part) {
        case .success(let value):
            .success(value)
        case .failure(.decodingError(let error, let response)):
            .failure(.decodingError(DecodingError(error, inside: path(error)), response: response))
        case .failure(let error):
            .failure(error)
        }
    }

    /// Decodes a line or the data of an event. The coding path of an error begins with the number of the part.
    @concurrent
    func decode(_ part: StreamPart) async throws(NetworkError) -> sending T {
        try await decode(part: part.body) { error in [PartKey(name: part.name, number: part.number, error: error)] }
    }

    /// Decodes a line or the data of an event, unless it cannot be decoded and is to be skipped.
    ///
    /// - Parameters:
    ///   - part: The line or the event.
    ///   - index: The position that is reported.
    ///   - invalidElements: What to do with a part that cannot be decoded.
    /// - Returns: The value, or nil for a part that is skipped.
    /// - Throws: The error of a part that is not skipped.
    @concurrent
    func decode(
        _ part: StreamPart, at index: Int, orTreatAs invalidElements: InvalidElements
    ) async throws(NetworkError) -> sending T? {
        do throws(NetworkError) {
            return try await decode(part)
        } catch {
            guard let report = invalidElements.report else { throw error }
            report(index, error)
            return nil
        }
    }
}

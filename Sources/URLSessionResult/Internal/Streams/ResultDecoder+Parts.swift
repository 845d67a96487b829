import Foundation
internal import URLSessionResultJSON

extension ResultDecoder {
    /// Decodes a part of a body, such as a line. An error gets the coding path of the part, which may depend on it.
    @concurrent
    func decode(
        part: ReceivedBody, at path: @Sendable (any Error) -> [any CodingKey]
    ) async throws(NetworkError) -> sending T {
        try result(of: part, at: path).get()
    }

    /// Decodes elements of the body of a response.
    @concurrent
    func decode(_ elements: [JSONElement], of response: URLResponse) async -> sending [Result<T, NetworkError>] {
        elements.map { element in
            result(of: ReceivedBody(data: element.bytes, response: response)) { _ in element.codingPath }
        }
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

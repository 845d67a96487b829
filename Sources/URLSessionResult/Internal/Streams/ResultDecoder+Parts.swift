import Foundation
internal import URLSessionResultJSON

extension ResultDecoder {
    /// Decodes a part of a body, such as a line. An error gets the coding path of the part, which may depend on it.
    @concurrent
    func decode(
        part: ReceivedBody, at path: @Sendable (any Error) -> [any CodingKey]
    ) async throws(NetworkError) -> sending T {
        switch decode(received: part) {
        case .success(let value):
            return value
        case .failure(.decodingError(let error, let response)):
            throw .decodingError(DecodingError(error, inside: path(error)), response: response)
        case .failure(let error):
            throw error
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

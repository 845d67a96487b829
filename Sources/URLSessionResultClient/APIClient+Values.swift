import Foundation

extension APIClient {
    /// The values of a streamed response, such as the answer of a language model: each server-sent event or each line, decoded.
    ///
    /// ```swift
    /// for try await part in client.values(for: .chat("Why?")) {
    ///     print(part.text)
    /// }
    /// ```
    ///
    /// The request is sent when a loop asks for the first value, and cancelled when the loop ends early. If the body ends
    /// regularly, its last event counts, even if no empty line ends it.
    ///
    /// Middleware returns when the headers have arrived. If the stream breaks off later, the loop throws the error, and nothing is
    /// sent again. Use ``events(for:whenConnected:whenLost:)`` for events that go on over several connections.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its decoder reads a single value.
    ///   - format: How the values are separated. Unless the endpoint has an `Accept`, the request accepts this format.
    ///   - end: The data of the event that ends the values. `[DONE]` ends those of OpenAI's API.
    ///   - invalidElements: What to do with a value that cannot be decoded. Each that is skipped is reported when it arrives, off your
    ///     actor. The position counts the events, or the lines that are not empty, from 0 on; the number in the error counts the events,
    ///     or all lines, from 1 on.
    /// - Returns: The values. They are decoded off your actor.
    public func values<Value>(
        for endpoint: Endpoint<Value>, as format: StreamFormat = .byContentType, until end: String? = "[DONE]",
        invalidElements: InvalidElements = .fail
    ) -> NetworkSequence<Value> {
        NetworkSequence {
            var values: NetworkSequence<Value>.AsyncIterator?
            return { actor throws(NetworkError) in
                if values == nil {
                    values = try await valuesResult(
                        for: endpoint, as: format, until: end, invalidElements: invalidElements
                    ).get().body.makeAsyncIterator()
                }
                return try await values?.next(isolation: actor)
            }
        }
    }

    /// Gets the headers of a streamed response, and its values as ``values(for:as:until:invalidElements:)`` gives them.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its decoder reads a single value.
    ///   - format: How the values are separated.
    ///   - end: The data of the event that ends the values.
    ///   - invalidElements: What to do with a value that cannot be decoded.
    /// - Returns: The response, whose values can be read once, or the error.
    @concurrent
    public func valuesResult<Value>(
        for endpoint: Endpoint<Value>, as format: StreamFormat = .byContentType, until end: String? = "[DONE]",
        invalidElements: InvalidElements = .fail
    ) async -> Result<NetworkResponse<NetworkSequence<Value>>, NetworkError> {
        await stream(endpoint, of: format.contentTypes, accepting: endpoint.acceptedStatusCodes).map { response in
            let form = format.form(of: response)
            return response.map { body in
                NetworkSequence {
                    var reader = body.valueReader(
                        endpoint.decoder, or: decoder, of: form, until: end, invalidElements: invalidElements)
                    return { actor throws(NetworkError) in try await reader.next(isolation: actor) }
                }
            }
        }
    }

    /// Gets the headers of a streamed response.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - types: The content types to accept, unless the endpoint accepts others.
    ///   - codes: The status codes that count as success.
    ///   - user: The user of an earlier request, if this one goes on where that one ended.
    ///   - change: A function that changes the request before the middleware sees it.
    /// - Returns: The response, whose body is still arriving, or the error.
    func stream<T>(
        _ endpoint: Endpoint<T>, of types: String, accepting codes: [Int], of user: CallUser = CallUser(),
        changing change: (inout URLRequest) -> Void = { _ in }
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        do throws(NetworkError) {
            var request = try request(for: endpoint, streaming: types)
            change(&request)
            return await sendInMemory(request, with: endpoint.body?.content, of: user) { request in
                await session.bytesResult(for: request, accepting: codes)
            }
        } catch {
            return .failure(error)
        }
    }
}

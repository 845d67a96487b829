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
    /// The request is sent when a loop asks for the first value, and cancelled when the loop ends early. If the `Content-Type` of the
    /// response is `text/event-stream`, the values are the data of the events. Otherwise they are the lines (NDJSON).
    ///
    /// The middleware is around the headers of the response. If the stream breaks off later, the loop throws the error, and nothing is
    /// sent again. Use ``events(for:)`` for events that go on over several connections.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its decoder reads a single value.
    ///   - end: The data of the event that ends the values. `[DONE]` ends those of OpenAI's API.
    /// - Returns: The values. They are decoded off your actor.
    public func values<Value>(
        for endpoint: Endpoint<Value>, until end: String? = "[DONE]"
    ) -> NetworkSequence<Value> {
        NetworkSequence {
            var values: NetworkSequence<Value>.AsyncIterator?
            return { actor throws(NetworkError) in
                if values == nil {
                    values = try await valuesResult(for: endpoint, until: end).get().body.makeAsyncIterator()
                }
                return try await values?.next(isolation: actor)
            }
        }
    }

    /// Gets the headers of a streamed response, and its values as ``values(for:until:)`` gives them.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its decoder reads a single value.
    ///   - end: The data of the event that ends the values.
    /// - Returns: The response, whose values can be read once, or the error.
    @concurrent
    public func valuesResult<Value>(
        for endpoint: Endpoint<Value>, until end: String? = "[DONE]"
    ) async -> Result<NetworkResponse<NetworkSequence<Value>>, NetworkError> {
        let decoder = endpoint.makeDecoder(decoder)
        let types = "text/event-stream, application/x-ndjson, application/json"
        return await stream(endpoint, of: types, accepting: endpoint.statusCodes).map { response in
            response.map { body in
                response.isEventStream ? .events(of: body, decoder, until: end) : .lines(of: body, decoder)
            }
        }
    }

    /// Gets the headers of a streamed response.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - types: The content types to accept, unless the endpoint accepts others.
    ///   - codes: The status codes that count as success.
    ///   - change: A function that changes the request before the middleware sees it.
    /// - Returns: The response, whose body is still arriving, or the error.
    func stream<T>(
        _ endpoint: Endpoint<T>, of types: String, accepting codes: [Int],
        changing change: (inout URLRequest) -> Void = { _ in }
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        do throws(NetworkError) {
            var request = try request(for: endpoint, bodyInMemory: true, streaming: types)
            change(&request)
            return await send(request) { request in
                await session.bytesResult(for: request, accepting: codes)
            }
        } catch {
            return .failure(error)
        }
    }
}

extension NetworkSequence {
    fileprivate static func events(
        of body: ResponseBytes, _ decoder: ResultDecoder<Element>, until end: String?
    ) -> Self {
        NetworkSequence {
            var values = body.events.values(decoder, until: end).makeAsyncIterator()
            return { actor throws(NetworkError) in try await values.next(isolation: actor) }
        }
    }

    fileprivate static func lines(of body: ResponseBytes, _ decoder: ResultDecoder<Element>) -> Self {
        NetworkSequence {
            var values = body.values(decoder).makeAsyncIterator()
            return { actor throws(NetworkError) in try await values.next(isolation: actor) }
        }
    }
}

extension NetworkResponse {
    /// Whether the body says that it is an event stream.
    var isEventStream: Bool { contentType?.lowercased() == "text/event-stream" }
}

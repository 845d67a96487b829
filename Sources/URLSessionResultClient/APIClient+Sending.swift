import Foundation
internal import URLSessionResultTransport

extension APIClient {
    /// Sends an endpoint through the middleware by a function of your own, for example with a delegate.
    ///
    /// ```swift
    /// let result = await client.send(.albums) { request in
    ///     await session.dataResult(
    ///         for: request, decoder: .response(.data),
    ///         delegate: metrics)
    /// }
    /// ```
    ///
    /// All other methods of the client send their requests in this way. The rule for redirects to another origin holds here, too: what
    /// a delegate is proposed has no secret header fields.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its status codes and its decoder are not used. A file or a form is read into memory.
    ///   - send: A function that sends a request. It runs off your actor.
    /// - Returns: The response, or the error of the function, of the middleware, or as from ``request(for:)``.
    @concurrent
    public func send<T, Body: Sendable>(
        _ endpoint: Endpoint<T>, by send: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        do throws(NetworkError) {
            return await sendInMemory(try request(for: endpoint), with: endpoint.body?.content, by: send)
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request through the middleware, by a function that gets a file or a form in memory.
    func sendInMemory<Body: Sendable>(
        _ request: URLRequest, with content: RequestBody.Content?, of user: CallUser = CallUser(),
        by send: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        await self.send(request, as: ClientCall(content: content, user: user)) { request in
            var request = request
            do throws(NetworkError) {
                if let data = try await content?.read() { request.httpBody = data }
            } catch {
                return .failure(error)
            }
            return await send(request)
        }
    }

    /// Sends a request through the middleware.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: What the request does not show.
    ///   - send: A function that sends a request.
    /// - Returns: The response, or the error.
    func send<Body: Sendable>(
        _ request: URLRequest, as call: ClientCall, by send: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        let chain: SendRequest<Body> = middleware.around(call) { request in
            do throws(NetworkError) {
                // Checked again, because middleware may have changed anything.
                try request.check()
                if call.content?.isUploaded == true { try request.checkHasNoBody() }
            } catch {
                return .failure(error)
            }
            return await Surroundings.current.whileSending.run {
                await RedirectedFields.$current.withValue(.descriptive) { await send(request) }
            }
        }
        return await Surroundings.current.within(call, sending: request).run { await chain(request) }
    }
}

import Foundation
internal import URLSessionResultTransport

/// Loads one page after the other.
struct PageLoader<Page: Sendable> {
    private let client: APIClient
    private let nextEndpoint: (@Sendable @isolated(any) (Page) async -> Endpoint<Page>?)?

    private let user = CallUser()

    /// The endpoint of the latest page, or of the first one.
    private var endpoint: Endpoint<Page>
    private var latest: (request: URLRequest, response: NetworkResponse<Page>)?
    private var loaded: Set<Address> = []

    init(
        client: APIClient, endpoint: Endpoint<Page>,
        next: (@Sendable @isolated(any) (Page) async -> Endpoint<Page>?)?
    ) {
        self.client = client
        self.endpoint = endpoint
        nextEndpoint = next
    }

    mutating func next() async throws(NetworkError) -> Page? {
        guard let request = try await nextRequest() else { return nil }
        guard isNew(request) else { throw .transportError(code: .badURL) }
        let response = try await client.response(to: request, for: endpoint, of: user)
        latest = (request, response)
        return response.body
    }

    /// Nil after the last page.
    private mutating func nextRequest() async throws(NetworkError) -> URLRequest? {
        guard let latest else { return try await client.encodedRequest(for: endpoint) }
        guard let nextEndpoint else { return try latest.response.linkedRequest(after: latest.request, of: endpoint) }
        guard let endpoint = await nextEndpoint(latest.response.body) else { return nil }
        self.endpoint = endpoint
        return try await client.encodedRequest(for: endpoint)
    }

    /// Whether no page before had the same request. What is sent from a file, a form or a stream is not compared.
    private mutating func isNew(_ request: URLRequest) -> Bool {
        let isBodyElsewhere = endpoint.body != nil || request.httpBodyStream != nil
        if isBodyElsewhere, request.httpBody == nil { return true }
        return loaded.insert(Address(request)).inserted
    }

    /// What tells pages apart: the URL, or the cursor in a header field or in the body of a POST.
    private struct Address: Hashable {
        let url: URL?
        let fields: [String: String]?
        let body: Data?

        init(_ request: URLRequest) {
            url = request.url
            fields = request.allHTTPHeaderFields
            body = request.httpBody
        }
    }
}

extension APIClient {
    /// Makes a request off the caller's actor, because that encodes a body.
    @concurrent
    fileprivate func encodedRequest<T>(for endpoint: Endpoint<T>) async throws(NetworkError) -> URLRequest {
        try request(for: endpoint)
    }
}

extension NetworkResponse {
    /// The request for the page that `Link` names, or nil if it names none.
    fileprivate func linkedRequest<T>(
        after request: URLRequest, of endpoint: Endpoint<T>
    ) throws(NetworkError) -> URLRequest? {
        guard linkTarget("next") != nil else { return nil }
        let hasBody = endpoint.body != nil || request.httpBody != nil || request.httpBodyStream != nil
        // A fragment is no part of the address.
        guard let link = link("next"), let url = EndpointPath(link).url(relativeTo: link, adding: [:]),
            request.method == .get && !hasBody || url.origin == request.url?.origin
        else { throw .transportError(code: .badURL) }
        var next = request
        next.url = url
        next.removeSecrets(of: request)
        next.removeFields(fieldsOfPage)
        return next
    }
}

/// The header fields that are for one request or for one version of a page, in lower case (RFC 9110, sections 13.1 and 14.2).
private let fieldsOfPage = [
    "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range",
]

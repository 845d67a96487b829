import Foundation

extension APIClient {
    /// The pages of a list, beginning with the page of an endpoint. Each is requested when a loop asks for it.
    ///
    /// ```swift
    /// for try await albums in client.pages(for: .albums) {
    ///     print(albums)
    /// }
    /// let songs = client.pages(for: .songs()) { page in
    ///     page.cursor.map { .songs(after: $0) }
    /// }
    /// ```
    ///
    /// Without a function, the `Link` field of a response names the next page (RFC 8288). A link to another origin is followed without
    /// secret header fields. It throws `URLError.badURL` if the request is no GET or has a body, because the body may be secret, too. So
    /// does a page that was there before, with the same URL, header fields and body: no page is requested twice. A body that is sent from a
    /// file or a form is not compared.
    ///
    /// If the user signs out (``TokenAuthentication/signOut()``), the next page throws `URLError.userAuthenticationRequired`: it is not
    /// requested for another user.
    ///
    /// Bodies are encoded and pages decoded off your actor.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the first page.
    ///   - next: A function that gives the endpoint of the page after this one, or `nil` after the last page. It runs on the actor on
    ///     which you write it. Each endpoint is read by its own decoder.
    /// - Returns: The values of the pages.
    public func pages<Page>(
        for endpoint: Endpoint<Page>,
        @_inheritActorContext next: (@Sendable @isolated(any) (Page) async -> Endpoint<Page>?)? = nil
    ) -> NetworkSequence<Page> {
        NetworkSequence {
            var pages = PageLoader(client: self, endpoint: endpoint, next: next)
            return { _ throws(NetworkError) in try await pages.next() }
        }
    }
}

#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// The cookies of a transfer: those of a storage that go with its requests, and those of its responses that are stored.
///
/// Neither libcurl nor the inner session sends or stores any.
struct Cookies: Sendable {
    private let storageToSend: HTTPCookieStorage?
    private let storageToFill: HTTPCookieStorage?
    private let acceptPolicy: HTTPCookie.AcceptPolicy

    /// The storing of cookies that has begun.
    private let storing = DispatchGroup()

    init(of configuration: URLSessionConfiguration, for request: URLRequest) {
        storageToSend = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
        acceptPolicy = configuration.httpCookieAcceptPolicy
        // Workaround: unhandledCookies
        let mayStore = request.httpShouldHandleCookies && configuration.httpCookieAcceptPolicy != .never
        storageToFill = mayStore ? configuration.httpCookieStorage : nil
    }

    /// Replaces the stored cookies of the request, or those it took over from the request before, by the ones that are stored now. A
    /// `Cookie` field of the caller or of a delegate stays if no stored cookie is for the request.
    func add(to prepared: inout PreparedRequest) {
        let earlier = prepared.storedCookies
        let field = HTTPCookie.requestHeaderFields(with: stored(for: prepared.request))["Cookie"]
        guard earlier != nil || field != nil else { return }
        var callers = prepared.request.value(forHTTPHeaderField: "Cookie")
        if let earlier, earlier.field == callers { callers = earlier.replaced }
        prepared.request.setValue(field ?? callers, forHTTPHeaderField: "Cookie")
        prepared.storedCookies = field.map { ($0, replaced: callers) }
    }

    private func stored(for request: URLRequest) -> [HTTPCookie] {
        guard let url = request.url, let cookies = storageToSend?.cookies(for: url) else { return [] }
        return cookies.sent(with: request)
    }

    /// Stores the cookies of a response, on another queue. Once for each response: the caller may remove them while the body
    /// arrives.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - fields: Its `Set-Cookie` fields, if the load knows them. The response has them joined to one.
    ///   - prepared: The request.
    func store(from response: URLResponse, _ fields: [String]?, to prepared: PreparedRequest) {
        guard let storageToFill, let date = prepared.dateOfSending, let head = response as? HTTPURLResponse,
            let joined = head.value(forHTTPHeaderField: "Set-Cookie"), let url = head.url,
            accepts(from: url, withDocument: prepared.request.mainDocumentURL)
        else { return }
        StorageQueue.of(storageToFill).async(group: storing) {
            let cookies = fields.map { $0.compactMap { SetCookie($0) } } ?? SetCookie.all(in: joined)
            storageToFill.store(cookies, from: url, requestedAt: date)
            StorageQueue.leave(storageToFill)
        }
    }

    /// Whether the host of the response is that of the document, or a domain that it is in. `HTTPCookieStorage` is less strict: to it,
    /// `thelocalhost` is in `localhost`. Without a document, each host may set cookies.
    private func accepts(from url: URL, withDocument document: URL?) -> Bool {
        guard acceptPolicy == .onlyFromMainDocumentDomain, let document else { return true }
        guard let host = url.host?.lowercased(), let documentHost = document.host?.lowercased() else { return false }
        return documentHost == host || documentHost.hasSuffix(".\(host)")
    }

    /// Waits until the cookies of the responses that have come are stored. Not for the event loop.
    func waitUntilStored() { storing.wait() }

    /// Calls a function on another queue, when the cookies of the responses that have come are stored.
    func afterStoring(_ work: @escaping @Sendable () -> Void) {
        storing.notify(queue: .global(), execute: work)
    }
}

/// Calls a function on another queue, when the cookies that a task has received are stored.
package func afterStoringCookies(of task: URLSessionTask, _ work: @escaping @Sendable () -> Void) {
    guard let task = task as? any TransferTask else { return onGlobalQueue(work) }
    task.transfer.cookies.afterStoring(work)
}

/// A queue for each storage that is being filled.
///
/// It stores in place of the event loop: FoundationNetworking writes all cookies of a storage to its file for each one that it is
/// given. A storage that takes long holds up no other one.
private struct StorageQueue {
    private let queue = DispatchQueue(label: "URLSessionResult.Cookies")
    private var users = 0

    /// The work on the queue keeps the storage, so that no other storage gets its identity. The lock guards the number of users: several
    /// sessions may share a storage.
    private static let all = Locked<[ObjectIdentifier: StorageQueue]>([:])

    /// The queue of a storage, which the caller leaves after its work.
    static func of(_ storage: HTTPCookieStorage) -> DispatchQueue {
        all.withLock { all in
            var known = all[ObjectIdentifier(storage)] ?? StorageQueue()
            known.users += 1
            all[ObjectIdentifier(storage)] = known
            return known.queue
        }
    }

    static func leave(_ storage: HTTPCookieStorage) {
        all.withLock { all in
            guard var known = all[ObjectIdentifier(storage)] else { return }
            known.users -= 1
            all[ObjectIdentifier(storage)] = known.users > 0 ? known : nil
        }
    }
}

extension HTTPCookieStorage {
    /// Stores the cookies of a response, except those that the caller has set meanwhile. Of two responses, the last one counts.
    ///
    /// - Parameters:
    ///   - cookies: The cookies, in the order of their fields.
    ///   - url: The URL of the response.
    ///   - start: When the request was sent.
    func store(_ cookies: [SetCookie], from url: URL, requestedAt start: Date) {
        let now = Date()
        // Workaround: cookiesOfHTTP2
        let accepted = cookies.compactMap { $0.accepted(from: url) }
        for next in accepted.latest {
            let predecessor = self.cookies(for: url)?.first { $0.place == next.place }
            // The caller has set the cookie meanwhile. The two dates are compared one by one: a range would crash if the clock was
            // set back.
            if let predecessor, !(predecessor is ReceivedCookie), predecessor.creation >= start,
                predecessor.creation < now
            {
                continue
            }
            // In the order of the fields.
            let index = accepted.prefix { $0.place != next.place }.count
            let creation = predecessor?.firstCreation ?? now + Double(index) * 0.000_001
            ReceivedCookie(next, at: now, firstCreation: creation).map(setCookie)
        }
        // Workaround: numberOfCookies
        if !accepted.isEmpty { removeOldest(for: url) }
    }

    /// Removes what is above the limit of a domain. What the caller has stored stays.
    private func removeOldest(for url: URL) {
        let received = cookies(for: url)?.filter { $0 is ReceivedCookie } ?? []
        guard received.count > HTTPCookie.mostOfDomain else { return }
        for cookie in received {
            let newer = received.filter { $0.domain == cookie.domain && $0.creation > cookie.creation }
            if newer.count >= HTTPCookie.mostOfDomain { deleteCookie(cookie) }
        }
    }
}

extension [AcceptedCookie] {
    /// The last cookie of each place, and for each domain no more than are kept.
    fileprivate var latest: [AcceptedCookie] {
        var latest: [AcceptedCookie] = []
        for cookie in reversed() where !latest.contains(where: { $0.place == cookie.place }) {
            let count = latest.filter { $0.place.domain == cookie.place.domain }.count
            if count < HTTPCookie.mostOfDomain { latest.append(cookie) }
        }
        return latest.reversed()
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Mocks have no locks: their classes are asked and started one after the other, and nobody waits for that.
@Suite(.inTurn)
struct SerialMockTests {
    private static let crowds = [1, 16, 100]

    private func session(_ mock: URLProtocol.Type) -> URLSession {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [mock]
        return URLSession(configuration: configuration)
    }

    @Test(
        "A mock that counts without a lock is asked and started once for each request", arguments: APIForm.some, crowds)
    func counting(_ form: APIForm, count: Int) async throws {
        let session = session(CountingMock.self)
        let host = "\(UUID().uuidString.lowercased()).test"
        let url = try #require(URL(string: "https://\(host)/"))
        await withTaskGroup(of: DataResult.self) { group in
            for _ in 0..<count { group.addTask { await form.run(session, URLRequest(url: url)) } }
            for await result in group { #expect("\(result)" == "success(3 bytes)") }
        }
        // Only the mock reads what it counts.
        let counts = await session.dataResult(from: try #require(URL(string: "https://counts.test/\(host)")))
        #expect(try counts.get() == Data("\(count) \(count)".utf8))
    }

    @Test("A mock that leaves a request to others is asked once, too", arguments: APIForm.some, [1, 16])
    func leaving(_ form: APIForm, count: Int) async throws {
        let session = session(LeavingMock.self)
        let name = UUID().uuidString
        let url = try #require(URL(string: "data:,\(name)"))
        await withTaskGroup(of: DataResult.self) { group in
            for _ in 0..<count { group.addTask { await form.run(session, URLRequest(url: url)) } }
            for await result in group { #expect((try? result.get())?.count == (form.givesBody ? name.count : 0)) }
        }
        #expect(LeavingMock.asked.value[name] == count)
    }

    @Test("A mock sends a request of its own, through itself, before it answers", arguments: APIForm.some, crowds)
    func forwarding(_ form: APIForm, count: Int) async throws {
        let session = session(ForwardingMock.self)
        let url = try #require(URL(string: "https://forwarded.test/"))
        await withTaskGroup(of: DataResult.self) { group in
            for _ in 0..<count { group.addTask { await form.run(session, URLRequest(url: url)) } }
            for await result in group { #expect("\(result)" == "success(3 bytes)") }
        }
    }

    @Test("A mock that blocks does not keep a caller who resumes, suspends or cancels a task")
    func blocking() async throws {
        let session = session(BlockingMock.self)
        // Otherwise a test that fails would block the mocks of the others.
        defer { BlockingMock.mayGoOn.open() }
        let results = Monitor<[DataResult]>([])
        let first = session.dataTask(with: try #require(URL(string: "https://first.test/"))) { result in
            results.withLock { $0.append(result) }
        }
        first.resume()
        try await BlockingMock.isBlocked.opened()
        let second = session.dataTask(with: try #require(URL(string: "https://second.test/"))) { result in
            results.withLock { $0.append(result) }
        }
        second.resume()
        second.suspend()
        second.resume()
        first.cancel()
        try await results.value { $0.count == 1 }
        #expect(results.value[0].error?.isCancelled == true)
        BlockingMock.mayGoOn.open()
        try await results.value { $0.count == 2 }
        #expect(try results.value[1].get() == Data("abc".utf8))
    }

    @Test(
        "Pieces that a mock's other threads still deliver during a redirect or a challenge reach nobody",
        arguments: ["redirect", "challenge", "finished"], [1, 16])
    func stalePieces(_ way: String, count: Int) async throws {
        let delegate = PasswordDelegate()
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [ChattyMock.self]
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let url = try #require(URL(string: "https://chatty.test/\(way)"))
        for form in APIForm.some where !form.uploads {
            await withTaskGroup(of: DataResult.self) { group in
                for _ in 0..<count { group.addTask { await form.run(session, URLRequest(url: url)) } }
                for await result in group { #expect((try? result.get()) == Data("new".utf8), "\(form): \(result)") }
            }
        }
        session.finishTasksAndInvalidate()
    }
}

/// Answers every challenge.
private final class PasswordDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }
}

private class Mock: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    func respond(_ status: Int = 200, headers: [String: String] = [:]) {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func answer(_ body: Data = Data("abc".utf8)) {
        respond()
        client?.urlProtocol(self, didLoad: body)
        client?.urlProtocolDidFinishLoading(self)
    }
}

/// Unchecked because a mock only reads itself on other threads.
private struct Handed<Mock: URLProtocol>: @unchecked Sendable {
    let mock: Mock
}

private final class LeavingMock: Mock {
    static let asked = Monitor<[String: Int]>([:])

    override class func canInit(with request: URLRequest) -> Bool {
        let name = request.url?.absoluteString.components(separatedBy: ",").last ?? ""
        asked.withLock { $0[name, default: 0] += 1 }
        return false
    }
}

private final class CountingMock: Mock {
    /// Safe because the library asks and starts a class on one queue: that is what is tested.
    nonisolated(unsafe) static var asked: [String: Int] = [:]
    nonisolated(unsafe) static var started: [String: Int] = [:]

    override class func canInit(with request: URLRequest) -> Bool {
        let host = request.url?.host ?? ""
        let count = asked[host, default: 0]
        // Whoever comes in between would be lost.
        sched_yield()
        asked[host] = count + 1
        return true
    }

    override func startLoading() {
        guard let url = request.url, url.host != "counts.test" else { return answerCounts() }
        Self.started[url.host ?? "", default: 0] += 1
        answer()
    }

    private func answerCounts() {
        let host = request.url?.lastPathComponent ?? ""
        answer(Data("\(Self.asked[host, default: 0]) \(Self.started[host, default: 0])".utf8))
    }
}

private final class ForwardingMock: Mock {
    override func startLoading() {
        guard request.url?.host != "other.test", let other = URL(string: "https://other.test/") else { return answer() }
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [ForwardingMock.self]
        URLSession(configuration: configuration).dataTask(with: other) {
            [mock = Handed(mock: self)] (result: DataResult) in
            mock.mock.answer((try? result.get()) ?? Data())
        }.resume()
    }
}

private final class BlockingMock: Mock {
    static let isBlocked = Gate()
    static let mayGoOn = Gate()

    override func startLoading() {
        Self.isBlocked.open()
        Self.mayGoOn.wait()
        answer()
    }
}

/// Goes on with pieces of a first load from two threads while it redirects or is challenged.
private final class ChattyMock: Mock {
    private let isStopped = Monitor(false)

    override func startLoading() {
        if request.url?.path == "/new" || request.value(forHTTPHeaderField: "Authorization") != nil {
            return answer(Data("new".utf8))
        }
        let challenge = ["WWW-Authenticate": #"Basic realm="x""#]
        respond(401, headers: challenge)
        let pieces = Monitor(0)
        let mock = Handed(mock: self)
        for _ in 0..<2 {
            Thread.detachNewThread { [isStopped] in
                while !isStopped.value, pieces.value < 300 {
                    mock.mock.client?.urlProtocol(mock.mock, didLoad: Data("old".utf8))
                    pieces.withLock { $0 += 1 }
                }
            }
        }
        Thread.detachNewThread {
            pieces.wait { $0 > 4 }
            switch mock.mock.request.url?.path {
            case "/redirect": mock.mock.redirect()
            case "/finished": mock.mock.client?.urlProtocolDidFinishLoading(mock.mock)
            default: mock.mock.askForCredential()
            }
        }
    }

    override func stopLoading() { isStopped.withLock { $0 = true } }

    private func redirect() {
        guard let url = request.url, let target = URL(string: "/new", relativeTo: url),
            let response = HTTPURLResponse(
                url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": "/new"])
        else { return }
        client?.urlProtocol(self, wasRedirectedTo: URLRequest(url: target.absoluteURL), redirectResponse: response)
    }

    private func askForCredential() {
        guard let url = request.url, let host = url.host else { return }
        let space = URLProtectionSpace(
            host: host, port: 443, protocol: "https", realm: "x",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let response = HTTPURLResponse(url: url, statusCode: 401, httpVersion: nil, headerFields: nil)
        client?.urlProtocol(
            self,
            didReceive: URLAuthenticationChallenge(
                protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: response,
                error: nil, sender: SilentSender()))
    }
}

#endif

import Foundation
import URLSessionResult

/// Answers as the path of a URL says: from where, and what.
final class MockProtocol: URLProtocol {
    /// Where a mock answers from.
    enum Kind: String, CaseIterable, Sendable {
        case startLoading, queue, task, delay, pieces, never

        static let answering = allCases.filter { $0 != .never }
    }

    /// What has been started.
    static let started = Monitor<Set<String>>([])

    /// How often each was stopped.
    static let stops = Monitor<[String: Int]>([:])

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.test" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let name = answer
        let shared = SharedMock(mock: self)
        switch request.url.flatMap({ Kind(rawValue: $0.pathComponents[1]) }) {
        case .startLoading: give()
        case .queue: DispatchQueue.global().async { shared.mock.give() }
        case .task: Task { shared.mock.give() }
        case .delay: DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) { shared.mock.give() }
        case .pieces: Task { await shared.mock.giveInPieces() }
        case .never, nil: break
        }
        Self.started.withLock { _ = $0.insert(name) }
    }

    override func stopLoading() { Self.stops.withLock { $0[answer, default: 0] += 1 } }

    private var answer: String { request.url?.lastPathComponent ?? "" }

    private func give() {
        guard answer != "failure" else { return fail() }
        begin()
        client?.urlProtocol(self, didLoad: body)
        finish()
    }

    private func giveInPieces() async {
        guard answer != "failure" else { return fail() }
        begin()
        for byte in body {
            await Task.yield()
            client?.urlProtocol(self, didLoad: Data([byte]))
        }
        await Task.yield()
        finish()
    }

    private var body: Data { Data((answer == "twice" ? "hello" : answer == "redirect" ? "" : answer).utf8) }

    private func fail() { client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost)) }

    private func begin() {
        guard let url = request.url else { return }
        let statusCode = ["found", "redirect"].contains(answer) ? 302 : 200
        let response = HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: nil,
            headerFields: answer == "found" ? ["Location": "/elsewhere"] : [:])
        guard let response else { return }
        if answer == "redirect" {
            var next = request
            next.url = url.deletingLastPathComponent().appendingPathComponent("hello")
            client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
        }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    private func finish() {
        client?.urlProtocolDidFinishLoading(self)
        guard answer == "twice" else { return }
        client?.urlProtocol(self, didLoad: body)
        client?.urlProtocolDidFinishLoading(self)
        fail()
    }
}

/// Unchecked, because one thread after the other uses the mock.
private struct SharedMock: @unchecked Sendable {
    let mock: MockProtocol
}

extension URLSessionConfiguration {
    static var withMock: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [MockProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }
}

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `URLProtocol` mocks that projects keep. Each kind answers from somewhere else.
@Suite(.inTurn)
struct MockProtocolTests {
    private let session = URLSession(configuration: .withMock)

    private func request(_ kind: MockProtocol.Kind, _ answer: String, _ form: APIForm) throws -> URLRequest {
        let url = try #require(URL(string: "https://mock.test/\(kind)/\(answer)"))
        return URLRequest(url: url, method: form.uploads ? .put : .get)
    }

    @Test(
        "Every counterpart gets what a mock answers", arguments: APIForm.all + APIForm.byURL,
        MockProtocol.Kind.answering)
    func answer(_ form: APIForm, kind: MockProtocol.Kind) async throws {
        let result = await form.run(session, try request(kind, "hello", form))
        #expect("\(result)" == (form.givesBody ? "success(5 bytes)" : "success(0 bytes)"))
    }

    @Test("Every counterpart gets the error of a mock", arguments: APIForm.all, MockProtocol.Kind.answering)
    func failure(_ form: APIForm, kind: MockProtocol.Kind) async throws {
        let result = await form.run(session, try request(kind, "failure", form))
        #expect(result.error?.urlError?.code == .networkConnectionLost)
    }

    @Test(
        "A 302 that a mock gives as its response goes to the caller", arguments: APIForm.all,
        MockProtocol.Kind.answering)
    func foundResponse(_ form: APIForm, kind: MockProtocol.Kind) async throws {
        let error = await form.run(session, try request(kind, "found", form)).error
        #expect(error?.statusCode == 302)
        #expect(error?.response?.header("Location") == "/elsewhere")
    }

    @Test(
        "A request that waits for a mock is cancelled", arguments: APIForm.asynchronous, [1, 16, 100])
    func waiting(_ form: APIForm, count: Int) async throws {
        let requests = try (0..<count).map { _ in try request(.never, UUID().uuidString, form) }
        await withTaskGroup(of: DataResult.self) { group in
            for request in requests {
                group.addTask {
                    let load = Task { await form.run(session, request) }
                    _ = try? await MockProtocol.started.value { $0.contains(request.url?.lastPathComponent ?? "") }
                    load.cancel()
                    return await load.value
                }
            }
            for await result in group { #expect(result.error?.isCancelled == true) }
        }
    }

    @Test(
        "Many at once arrive whole, every fourth is cancelled", arguments: APIForm.some,
        MockProtocol.Kind.answering.flatMap { kind in [16, 100].map { Crowd(kind: kind, count: $0) } })
    func crowd(_ form: APIForm, _ crowd: Crowd) async throws {
        let requests = try (0..<crowd.count).map { try request(crowd.kind, "\($0)", form) }
        await withTaskGroup(of: Void.self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    let load = Task { await form.run(session, request) }
                    let isCancelled = index.isMultiple(of: 4)
                    if isCancelled { load.cancel() }
                    let result = await load.value
                    let isWhole = (try? result.get()) == Data("\(index)".utf8)
                    #expect(isWhole || isCancelled && result.error?.isCancelled == true)
                }
            }
        }
    }

    @Test("A crowd that is cancelled while its mocks answer ends", arguments: APIForm.some, MockProtocol.Kind.answering)
    func cancelledCrowd(_ form: APIForm, kind: MockProtocol.Kind) async throws {
        let names = (0..<100).map { _ in UUID().uuidString }
        let requests = try names.map { try request(kind, $0, form) }
        await withTaskGroup(of: (Data, DataResult).self) { group in
            for (name, request) in zip(names, requests) {
                group.addTask {
                    let load = Task { await form.run(session, request) }
                    _ = try? await MockProtocol.started.value { $0.contains(name) }
                    load.cancel()
                    return (Data(name.utf8), await load.value)
                }
            }
            for await (body, result) in group {
                #expect((try? result.get()) == body || result.error?.isCancelled == true)
            }
        }
    }

    @Test("A mock redirects, and the delegate is asked", arguments: APIForm.all, MockProtocol.Kind.answering)
    func redirect(_ form: APIForm, kind: MockProtocol.Kind) async throws {
        let delegate = SessionDelegate()
        let session = delegate.session(with: .withMock)
        let result = await form.run(session, try request(kind, "redirect", form))
        #expect("\(result)" == (form.givesBody ? "success(5 bytes)" : "success(0 bytes)"))
        #expect(delegate.redirects.value == 1)
    }

    @Test(
        "A redirect of a mock that the delegate stops is an error response", arguments: APIForm.all,
        MockProtocol.Kind.answering)
    func stoppedRedirect(_ form: APIForm, kind: MockProtocol.Kind) async throws {
        let session = SessionDelegate { _ in nil }.session(with: .withMock)
        let error = await form.run(session, try request(kind, "redirect", form)).error
        #expect(error?.statusCode == 302)
    }

    @Test("What a mock says after its end is not heard", arguments: APIForm.all, MockProtocol.Kind.answering)
    func talkative(_ form: APIForm, kind: MockProtocol.Kind) async throws {
        let result = await form.run(session, try request(kind, "twice", form))
        #expect("\(result)" == (form.givesBody ? "success(5 bytes)" : "success(0 bytes)"))
    }

    @Test("A mock is stopped once, after its own end and by a cancellation", arguments: APIForm.asynchronous)
    func stop(_ form: APIForm) async throws {
        let name = UUID().uuidString
        _ = try await form.run(session, request(.task, name, form)).get()
        #expect(try await MockProtocol.stops.value { $0[name] != nil }[name] == 1)
        let cancelled = UUID().uuidString
        let load = Task { await form.run(session, try request(.never, cancelled, form)) }
        try await MockProtocol.started.value { $0.contains(cancelled) }
        load.cancel()
        #expect(try await load.value.error?.isCancelled == true)
        #expect(try await MockProtocol.stops.value { $0[cancelled] != nil }[cancelled] == 1)
    }

    @Test(
        "A class is asked only about requests of the caller, and stops only what it has started",
        arguments: APIForm.all, [true, false])
    func careful(_ form: APIForm, isLoading: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let id = UUID().uuidString
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [CarefulProtocol.self] + (configuration.protocolClasses ?? [])
        configuration.httpAdditionalHeaders = ["X-ID": id]
        let end = SessionEnd()
        let session = URLSession(configuration: configuration, delegate: end, delegateQueue: nil)
        let url = isLoading ? try #require(URL(string: "http://careful.test/\(id)")) : server.url("/\(id)")
        _ = try await form.run(session, URLRequest(url: url, method: form.uploads ? .put : .get)).get()
        try await end.follows(session)
        #expect(CarefulProtocol.faults.value.isEmpty)
        #expect(CarefulProtocol.asked.value.contains { $0.hasSuffix(id) })
    }

    @Test("A mock may give the response before it redirects", arguments: APIForm.some)
    func responseBeforeRedirect(_ form: APIForm) async throws {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [CarefulProtocol.self]
        let url = try #require(URL(string: "http://careful.test/redirect"))
        #expect(try await form(url, in: URLSession(configuration: configuration)).get() == Data("mock".utf8))
    }

    #if canImport(FoundationNetworking)
    @Test("The cookies of a response by HTTP are stored, also if a mock has redirected there", arguments: APIForm.some)
    func cookieAfterRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok(headers: ["Set-Cookie": "a=b"]))
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [CarefulProtocol.self] + (configuration.protocolClasses ?? [])
        let url = try #require(URL(string: "http://careful.test/redirect?\(server.url())"))
        _ = try await form(url, in: URLSession(configuration: configuration)).get()
        #expect(configuration.httpCookieStorage?.cookies?.map(\.value) == ["b"])
    }
    #endif

    struct Crowd: Sendable, CustomTestStringConvertible {
        let kind: MockProtocol.Kind
        let count: Int

        var testDescription: String { "\(count) \(kind)" }
    }
}

/// Takes for granted what `URLSession` alone gives: requests with a host, and no stop before a start. Answers from another thread.
private final class CarefulProtocol: URLProtocol {
    static let asked = Monitor<[String]>([])
    static let faults = Monitor<[String]>([])
    private let isStarted = Monitor(false)

    override class func canInit(with request: URLRequest) -> Bool {
        let text = request.url?.absoluteString ?? ""
        asked.withLock { $0.append(text) }
        if request.url?.host == nil { faults.withLock { $0.append("no host: \(text)") } }
        return request.url?.host == "careful.test" || request.url?.scheme == "data"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        isStarted.withLock { $0 = true }
        // Safe, although the compiler cannot see it: nothing is used from here and there at once.
        nonisolated(unsafe) let load = self
        DispatchQueue.global().async { load.answer() }
    }

    override func stopLoading() {
        if !isStarted.value { Self.faults.withLock { $0.append("stopped and not started") } }
    }

    private func answer() {
        guard let url = request.url, let client else { return }
        let target = url.path == "/redirect" ? URL(string: url.query ?? "http://careful.test/") : nil
        guard
            let response = HTTPURLResponse(
                url: url, statusCode: target == nil ? 200 : 302, httpVersion: nil, headerFields: [:])
        else { return }
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        if let target {
            client.urlProtocol(self, wasRedirectedTo: URLRequest(url: target), redirectResponse: response)
        } else {
            client.urlProtocol(self, didLoad: Data("mock".utf8))
            client.urlProtocolDidFinishLoading(self)
        }
    }
}

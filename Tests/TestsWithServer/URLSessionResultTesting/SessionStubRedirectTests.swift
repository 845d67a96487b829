import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
struct SessionStubRedirectTests {
    private let url = URL(string: "https://albums.test/start") ?? URL(fileURLWithPath: "/")
    private let elsewhere = URL(string: "https://other.test/end") ?? URL(fileURLWithPath: "/")

    private func request(for form: APIForm) -> URLRequest {
        var request = URLRequest(url: url, method: form.uploads ? .put : .get)
        request.setValue("secret", forHTTPHeaderField: "Authorization")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        return request
    }

    /// Redirects what is requested from `/start`, and answers everything else.
    private func redirecting(to target: URL, statusCode: Int = 302) -> SessionStub {
        SessionStub { request in
            request.url?.path == "/start" ? .redirect(to: target, statusCode: statusCode) : .text("hello")
        }
    }

    // MARK: The library

    @Test("Every counterpart follows a redirect", arguments: APIForm.all + APIForm.byURL)
    func redirect(_ form: APIForm) async {
        let stub = redirecting(to: elsewhere)
        let result = await form.run(stub.session, request(for: form))
        #expect("\(result)" == (form.givesBody ? "success(5 bytes)" : "success(0 bytes)"))
        #expect(stub.requests.map(\.url) == [url, elsewhere])
    }

    @Test("A URL is taken from that of the request, as Location is")
    func relativeURL() async throws {
        let stub = redirecting(to: try #require(URL(string: "end?year=1971")))
        _ = await stub.session.dataResult(from: url)
        #expect(stub.requests.last?.url?.absoluteString == "https://albums.test/end?year=1971")
    }

    @Test("A redirect that leads nowhere is an error response", arguments: APIForm.some)
    func emptyURL(_ form: APIForm) async throws {
        let stub = redirecting(to: try #require(URLComponents().url))
        #expect(await form.run(stub.session, request(for: form)).error?.statusCode == 302)
        #expect(stub.requests.count == 1)
    }

    @Test("A URL in which some characters are escaped is requested as it is")
    func escapes() async throws {
        let target = try #require(URL(string: "https://other.test/a%2Fb%20c?d=%26%7C"))
        let stub = redirecting(to: target)
        _ = await stub.session.dataResult(from: url)
        #expect(stub.requests.last?.url == target)
    }

    @Test(
        "A 303 asks for a GET, and others repeat the method and the body",
        arguments: APIForm.some.filter(\.uploads), [301, 302, 303, 307, 308])
    func method(_ form: APIForm, statusCode: Int) async throws {
        let method = statusCode == 303 ? "GET" : "PUT"
        let stub = redirecting(to: elsewhere, statusCode: statusCode)
        _ = await form.run(stub.session, request(for: form))
        let next = try #require(stub.requests.last)
        #expect(next.httpMethod == method)
        #expect(next.httpBody == (method == "GET" ? nil : APIForm.uploadedBody))
        #expect(next.value(forHTTPHeaderField: "Content-Type") == (method == "GET" ? nil : "text/plain"))
    }

    @Test("A POST becomes a GET, unless the status code forbids that", arguments: [301, 302, 303, 307, 308])
    func post(statusCode: Int) async throws {
        let stub = redirecting(to: elsewhere, statusCode: statusCode)
        _ = await stub.session.dataResult(for: try URLRequest(url: url, method: .post, json: [1]))
        let isRepeated = statusCode > 303
        #expect(stub.requests.last?.httpMethod == (isRepeated ? "POST" : "GET"))
        #expect(stub.requests.last?.httpBody == (isRepeated ? Data("[1]".utf8) : nil))
    }

    #if canImport(FoundationNetworking)
    @Test("A body stream is not sent twice: the delegate gives another one, or the redirect is not followed")
    func bodyStream() async throws {
        for (delegate, statusCode, sent) in [
            (SessionDelegate(), nil, ["streamed", "renewed"]), (nil, 307, ["streamed"]),
        ] as [(SessionDelegate?, Int?, [String])] {
            let stub = redirecting(to: elsewhere, statusCode: 307)
            let stubbed = stub.session
            let session = URLSession(configuration: stubbed.configuration, delegate: delegate, delegateQueue: nil)
            var request = URLRequest(url: url, method: .put)
            request.httpBodyStream = InputStream(data: Data("streamed".utf8))
            let result: DataResult = await session.dataResult(for: request)
            #expect(result.error?.statusCode == statusCode)
            #expect(stub.requests.map(\.httpBody) == sent.map { Data($0.utf8) })
        }
    }
    #endif

    @Test("What describes a body does not go along without one", arguments: APIForm.some)
    func fieldsOfBody(_ form: APIForm) async throws {
        let names = ["Content-Encoding", "Content-Language", "Content-Location", "Digest", "Last-Modified"]
        for (statusCode, expected) in [(303, 0), (307, names.count)] where form.uploads {
            let stub = redirecting(to: elsewhere, statusCode: statusCode)
            var request = request(for: form)
            for name in names { request.setValue("a", forHTTPHeaderField: name) }
            _ = await form.run(stub.session, request)
            let next = try #require(stub.requests.last)
            #expect(names.filter { next.value(forHTTPHeaderField: $0) != nil }.count == expected)
        }
    }

    @Test(
        "The fragment of the request goes along, unless the target has one", arguments: ["/end": "part", "/end#a": "a"])
    func fragment(target: String, expected: String) async throws {
        let stub = redirecting(to: try #require(URL(string: target)))
        let start = try #require(URL(string: "https://albums.test/start#part"))
        let response = try await stub.session.dataResult(from: start, decoder: .response(.data)).get()
        #expect(response.urlResponse.url?.fragment == expected)
    }

    @Test("Credentials go to the same origin alone, and the field of the stub to none", arguments: APIForm.some)
    func credentials(_ form: APIForm) async throws {
        for (target, expected) in [(try #require(URL(string: "/end")), "secret"), (elsewhere, nil)] {
            let stub = redirecting(to: target)
            var request = request(for: form)
            request.setValue("virtual.test", forHTTPHeaderField: "Host")
            _ = await form.run(stub.session, request)
            #expect(stub.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["secret", expected])
            #expect(stub.requests.last?.value(forHTTPHeaderField: "Host") == expected.map { _ in "virtual.test" })
            #expect(stub.requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Session-Stub") == nil })
        }
    }

    @Test("Credentials of the configuration go to the same origin alone", arguments: APIForm.some)
    func credentialsOfConfiguration(_ form: APIForm) async throws {
        for (target, expected) in [(try #require(URL(string: "/end")), "shared"), (elsewhere, nil)] {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpAdditionalHeaders = ["Authorization": "shared"]
            let stub = SessionStub(configuration: configuration, .redirect(to: target), .text("hello"))
            var request = request(for: form)
            request.setValue(nil, forHTTPHeaderField: "Authorization")
            _ = await form.run(stub.session, request)
            #expect(stub.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["shared", expected])
        }
    }

    @Test("The delegate of a session authorizes the next request", arguments: APIForm.all)
    func authorization(_ form: APIForm) async {
        let stub = redirecting(to: elsewhere)
        let delegate = SessionDelegate { $0.authorized }
        let session = delegate.session(with: stub.session.configuration)
        let result = await form.run(session, request(for: form))
        #expect(result.error == nil)
        #expect(delegate.redirects.value == 1)
        #expect(stub.requests.last?.value(forHTTPHeaderField: "Authorization") == "next")
    }

    @Test("The delegate of a request authorizes the next one", arguments: APIForm.asynchronous)
    func authorizationByRequest(_ form: APIForm) async {
        let stub = redirecting(to: elsewhere)
        let delegate = SessionDelegate { $0.authorized }
        _ = await form.run(stub.session, request(for: form), delegate: delegate)
        #expect(stub.requests.last?.value(forHTTPHeaderField: "Authorization") == "next")
    }

    @Test("A redirect that the delegate stops is an error response", arguments: APIForm.all)
    func stopped(_ form: APIForm) async throws {
        let stub = redirecting(to: elsewhere)
        let delegate = SessionDelegate { _ in nil }
        let session = delegate.session(with: stub.session.configuration)
        let error = try #require(await form.run(session, request(for: form)).error)
        #expect(error.statusCode == 302)
        #expect(error.response?.header("Location") == elsewhere.absoluteString)
        #expect(error.response?.body.isEmpty == true)
        #expect(stub.requests.count == 1)
    }

    @Test("A redirect that leads to itself is a transport error", arguments: APIForm.some)
    func circle(_ form: APIForm) async {
        let stub = redirecting(to: url)
        #expect(await form.run(stub.session, request(for: form)).error?.urlError?.code == .httpTooManyRedirects)
        #expect(stub.requests.count == 21)
    }

    @Test("A request that was redirected is cancelled", arguments: APIForm.asynchronous)
    func cancellation(_ form: APIForm) async throws {
        let stub = SessionStub(.redirect(to: elsewhere), .never)
        let request = request(for: form)
        let load = Task { await form.run(stub.session, request) }
        try await stub.requests(atLeast: 2)
        load.cancel()
        #expect(await load.value.error?.isCancelled == true)
    }

    @Test("Many at once follow their redirects, every fourth is cancelled", arguments: APIForm.some, [16, 100])
    func crowd(_ form: APIForm, count: Int) async throws {
        let stub = SessionStub { request in
            let name = request.url?.lastPathComponent ?? ""
            return request.url?.host == "albums.test"
                ? .redirect(to: try #require(URL(string: "https://other.test/\(name)"))) : .text(name)
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                var request = request(for: form)
                request.url = url.deletingLastPathComponent().appendingPathComponent("\(index)")
                group.addTask { [request] in
                    let load = Task { await form.run(stub.session, request) }
                    let isCancelled = index.isMultiple(of: 4)
                    if isCancelled { load.cancel() }
                    let result = await load.value
                    let isWhole = (try? result.get()) == Data("\(index)".utf8)
                    #expect(isWhole || isCancelled && result.error?.isCancelled == true)
                }
            }
        }
    }

    // MARK: URLSession alone

    @Test("URLSession alone follows a redirect", arguments: [true, false])
    func withoutLibrary(hasDelegate: Bool) async throws {
        let stub = redirecting(to: elsewhere, statusCode: 307)
        let delegate = SessionDelegate { $0.authorized }
        let session = hasDelegate ? delegate.session(with: stub.session.configuration) : stub.session
        let (data, response) = try await session.data(from: url)
        #expect(data == Data("hello".utf8))
        #expect(response.url == elsewhere)
        let put = request(for: APIForm.all[3])
        _ = try await session.upload(for: put, from: Data("data".utf8))
        #expect(stub.requests.map(\.url) == [url, elsewhere, url, elsewhere])
        #expect(stub.requests.map(\.httpBody) == [nil, nil, Data("data".utf8), Data("data".utf8)])
        #expect(stub.requests.last?.value(forHTTPHeaderField: "Authorization") == (hasDelegate ? "next" : nil))
        #expect(delegate.redirects.value == (hasDelegate ? 2 : 0))
    }

    @Test("URLSession alone stops where its delegate says")
    func stoppedWithoutLibrary() async throws {
        let stub = redirecting(to: elsewhere)
        let session = SessionDelegate { _ in nil }.session(with: stub.session.configuration)
        let (data, response) = try await session.data(from: url)
        #expect(data.isEmpty)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(stub.requests.count == 1)
    }

    @Test("URLSession alone keeps the fields of its configuration, whatever the delegate returns")
    func fieldsOfConfiguration() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["User-Agent": "Albums/1"]
        let stub = SessionStub(configuration: configuration, .redirect(to: elsewhere), .text("hello"))
        let delegate = SessionDelegate { request in request.url.map { URLRequest(url: $0) } }
        _ = try await delegate.session(with: stub.session.configuration).data(from: url)
        let sent = stub.requests.map { $0.value(forHTTPHeaderField: "User-Agent") }
        #expect(sent == ["Albums/1", "Albums/1"])
    }

    @Test("URLSession alone fails in a circle")
    func circleWithoutLibrary() async {
        let stub = redirecting(to: url)
        let error = await #expect(throws: URLError.self) { try await stub.session.data(from: url) }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(stub.requests.count == 21)
    }
}

extension URLRequest {
    fileprivate var authorized: URLRequest {
        var request = self
        request.setValue("next", forHTTPHeaderField: "Authorization")
        return request
    }
}

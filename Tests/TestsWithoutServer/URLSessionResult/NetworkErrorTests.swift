import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What the funnel decides.
struct NetworkErrorTests {
    private static let url = URL(fileURLWithPath: "/")
    private let body = Data("body".utf8)

    private func http(_ status: Int) -> HTTPURLResponse? {
        HTTPURLResponse(url: Self.url, statusCode: status, httpVersion: nil, headerFields: nil)
    }

    private let plain = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)

    @Test("An error is a transport error, whatever else there is", arguments: [nil, 200, 500], [nil, Data()])
    func transportError(status: Int?, data: Data?) {
        let response = status.flatMap(http)
        let error = NetworkError(data: data, response: response, error: URLError(.timedOut))
        guard case .transportError(let underlying) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((underlying as? URLError)?.code == .timedOut)
    }

    @Test("A NetworkError stays what it is, so that layers do not bury it", arguments: [nil, 200, 500])
    func networkError(status: Int?) throws {
        let response = try #require(http(503))
        let inner = NetworkError.serverError(
            statusCode: 503, response: NetworkResponse(body: body, urlResponse: response))
        let outer = try #require(NetworkError(data: nil, response: status.flatMap(http), error: inner))
        #expect(outer.statusCode == 503)
        #expect(outer.response?.body == body)
        let cancelled = NetworkError.transportError(URLError(.cancelled))
        #expect(NetworkError(data: nil, response: nil, error: cancelled)?.isCancelled == true)
    }

    @Test("A status code from 200 to 299 is no error", arguments: [200, 201, 204, 299])
    func success(status: Int) {
        #expect(NetworkError(data: body, response: http(status), error: nil) == nil)
    }

    @Test(
        "Any other status code is a server error that keeps the body",
        arguments: [0, 100, 199, 300, 304, 404, 500, 999])
    func serverError(status: Int) throws {
        let error = try #require(NetworkError(data: body, response: http(status), error: nil))
        #expect(error.statusCode == status)
        #expect(error.response?.body == body)
        #expect(error.response?.statusCode == status)
    }

    @Test("Every result accepts the same status codes by default", arguments: [199, 200, 299, 300])
    func defaultCodes(status: Int) {
        let isAccepted = (200..<300).contains(status)
        let response = http(status)
        #expect((NetworkError(data: body, response: response, error: nil) == nil) == isAccepted)
        let bodyAlone = DataResult(data: body, response: response, error: nil)
        #expect(((try? bodyAlone.get()) != nil) == isAccepted)
        let whole = Result<NetworkResponse<Data>, NetworkError>(data: body, response: response, error: nil)
        #expect(((try? whole.get()) != nil) == isAccepted)
    }

    @Test("What an error keeps of a body is full at the limit, and not before")
    func keptBytes() {
        var kept = Data()
        let isFull = [NetworkError.keptByteCount - 1, 2, 1].map { count in kept.keep(Data(count: count)) }
        #expect(isFull == [false, true, true])
        #expect(kept.count == NetworkError.keptByteCount)
    }

    @Test("A value that is missing was null, if the body does not say otherwise")
    func missingValue() {
        let context = DecodingError.Context(codingPath: [], debugDescription: "")
        let error = NetworkError.decodingError(DecodingError.valueNotFound(Int.self, context), response: nil)
        #expect(error.description == "decodingError(the body: expected Int, found null)")
    }

    @Test("An absent body of a server error is empty")
    func serverErrorWithoutBody() {
        #expect(NetworkError(data: nil, response: http(500), error: nil)?.response?.body == Data())
    }

    @Test("Absent data is noData, unless the status code is worse", arguments: [nil, 200])
    func noData(status: Int?) {
        let error = NetworkError(data: nil, response: status.flatMap(http), error: nil)
        guard case .noData = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Absent data is an empty success if the status code never has a body", arguments: [204, 205, 304])
    func statusWithoutBody(status: Int) throws {
        let result = DataResult(data: nil, response: http(status), error: nil, accepting: 200..<400)
        #expect(try result.get() == Data())
    }

    @Test("An empty body and a response that is not HTTP are successes")
    func lenience() {
        #expect(NetworkError(data: Data(), response: http(200), error: nil) == nil)
        #expect(NetworkError(data: body, response: plain, error: nil) == nil)
        #expect(NetworkError(data: body, response: nil, error: nil) == nil)
    }

    @Test("An NSError of URLSession's domain is a URLError")
    func bridgedError() {
        let cause = NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled)
        let error = NetworkError.transportError(cause)
        #expect(error.isCancelled)
        #expect(error.localizedDescription == "The request was cancelled.")
        #expect(NetworkError.transportError(NSError(domain: "Other", code: NSURLErrorCancelled)).urlError == nil)
    }

    @Test("Ranges, closed ranges, arrays and sets say what is accepted")
    func accepting() {
        let response = http(304)
        #expect(NetworkError(data: body, response: response, error: nil, accepting: 200..<400) == nil)
        #expect(NetworkError(data: body, response: response, error: nil, accepting: 304...304) == nil)
        #expect(NetworkError(data: body, response: response, error: nil, accepting: [200, 304]) == nil)
        #expect(NetworkError(data: body, response: response, error: nil, accepting: Set([304])) == nil)
        #expect(NetworkError(data: body, response: response, error: nil, accepting: [])?.statusCode == 304)
        #expect(NetworkError(data: body, response: http(200), error: nil, accepting: 300..<400)?.statusCode == 200)
    }

    @Test("Each property belongs to its own case")
    func properties() throws {
        let server = try #require(NetworkError(data: nil, response: http(500), error: nil))
        let others: [NetworkError] = [.noData, .decodingError(Failure(), response: nil), .encodingError(Failure())]
        #expect(server.urlError == nil && !server.isCancelled)
        for error in others + [.transportError(URLError(.timedOut))] {
            #expect(error.statusCode == nil && error.response == nil && !error.isCancelled)
        }
        #expect(server.underlyingError == nil)
        #expect(others.map { $0.underlyingError is Failure } == [false, true, true])
        #expect(NetworkError.transportError(Failure()).underlyingError is Failure)
        for error in others { #expect(error.urlError == nil) }
        #expect(NetworkError.transportError(URLError(.timedOut)).urlError?.code == .timedOut)
        #expect(NetworkError.transportError(Failure()).urlError == nil)
    }

    @Test("A cancelled request and a cancelled task are both cancelled")
    func cancelled() {
        #expect(NetworkError.transportError(URLError(.cancelled)).isCancelled)
        #expect(NetworkError.transportError(CancellationError()).isCancelled)
        #expect(!NetworkError.decodingError(CancellationError(), response: nil).isCancelled)
    }

    @Test("A completion handler's three values make a Result")
    func dataResult() throws {
        #expect(try DataResult(data: body, response: http(200), error: nil).get() == body)
        #expect(DataResult(data: body, response: http(404), error: nil).error?.statusCode == 404)
        #expect(try DataResult(data: body, response: http(404), error: nil, accepting: [404]).get() == body)
        #expect(DataResult(data: nil, response: nil, error: URLError(.cancelled)).error?.isCancelled == true)
    }

    @Test("A completion handler's arguments are a result with status and headers, too")
    func networkResponseResult() throws {
        typealias ResponseResult = Result<NetworkResponse<Data>, NetworkError>
        let body = Data("abc".utf8)
        let success = try ResponseResult(data: body, response: http(201), error: nil).get()
        #expect(success.body == body)
        #expect(success.statusCode == 201)
        #expect(try ResponseResult(data: nil, response: http(204), error: nil).get().body.isEmpty)
        #expect(try ResponseResult(data: body, response: http(404), error: nil, accepting: [404]).get().body == body)
        #expect(ResponseResult(data: body, response: http(404), error: nil).error?.response?.body == body)
        #expect(ResponseResult(data: body, response: http(200), error: URLError(.cancelled)).error?.isCancelled == true)
        for (data, response) in [(body, nil), (nil, http(200)), (nil, nil)] as [(Data?, URLResponse?)] {
            guard case .failure(.noData) = ResponseResult(data: data, response: response, error: nil) else {
                Issue.record("It is not noData.")
                continue
            }
        }
        // Without a type, it is the shorter one.
        #expect(try Result(data: body, response: http(200), error: nil).get() == body)
    }

    @Test("A completion handler's three values are decoded in one step")
    func decodedDataResult() throws {
        let decoded = DataResult(data: Data("[1]".utf8), response: http(200), error: nil).decode(
            with: .json([Int].self))
        #expect(try decoded.get() == [1])
        #expect(DataResult(data: body, response: http(404), error: nil).decode(with: .data).error?.statusCode == 404)
    }
}

private struct Failure: Error {}

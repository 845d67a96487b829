import Foundation
import Testing

@testable import URLSessionResult
@testable import TestSupport

/// When a stream whose head was held back gives up the body of an error response.
struct StreamedResponseTests {
    private let url = URL(fileURLWithPath: "/")

    @Test("An error response whose head was held back long enough ends with what has come of its body")
    func errorResponse() async throws {
        let results = Monitor<[Result<NetworkResponse<ResponseBytes>, NetworkError>]>([])
        let response = StreamedResponse(accepting: 200..<300) { result in results.withLock { $0.append(result) } }
        let task = URLSession(configuration: .ephemeral).dataTask(with: url)
        response.receive(try head(401), of: task, isTimed: false)
        response.receive(Data("who are you?".utf8), of: task)
        response.patienceIsOver(with: task)
        // Not two seconds later, by the clock of the response.
        #expect(task.state != .suspended)
        let error = try await results.value { !$0.isEmpty }[0].error
        #expect(error?.statusCode == 401)
        #expect(error?.response?.body == Data("who are you?".utf8))
    }

    @Test("An accepted response whose head was held back goes on")
    func acceptedResponse() async throws {
        let results = Monitor<[Result<NetworkResponse<ResponseBytes>, NetworkError>]>([])
        let response = StreamedResponse(accepting: 400..<500) { result in results.withLock { $0.append(result) } }
        let task = URLSession(configuration: .ephemeral).dataTask(with: url)
        response.receive(try head(401), of: task, isTimed: false)
        response.receive(Data("abc".utf8), of: task)
        response.patienceIsOver(with: task)
        #expect(task.state == .suspended)
        response.receive(Data("def".utf8), of: task)
        response.complete(with: nil)
        let body = try await results.value { !$0.isEmpty }[0].get().body
        #expect(try await body.collect(upTo: 6) == Data("abcdef".utf8))
    }

    private func head(_ statusCode: Int) throws -> HTTPURLResponse {
        let response = HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: nil, headerFields: nil)
        return try #require(response)
    }
}

#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

struct LibcurlAnswersTests {
    /// A response, and what libcurl may know of the request by then.
    struct Row: CustomTestStringConvertible {
        var codes: [Int] = []
        var hasBody = false
        var expects = false
        var isSending = false
        let status: Int
        let isAnswerable: Bool

        var testDescription: String { "\(status) \(codes) \(hasBody) \(expects) \(isSending)" }

        static let all = [
            // Without a credential for Digest, nobody answers.
            Row(status: 200, isAnswerable: false), Row(status: 401, isAnswerable: false),
            Row(hasBody: true, status: 401, isAnswerable: false),
            Row(codes: [401], status: 401, isAnswerable: true), Row(codes: [401], status: 407, isAnswerable: false),
            Row(codes: [401, 407], status: 407, isAnswerable: true),
            Row(codes: [401], hasBody: true, isSending: true, status: 401, isAnswerable: true),
            // The server does not challenge the request without its body.
            Row(codes: [401], hasBody: true, status: 200, isAnswerable: true),
            Row(codes: [401], hasBody: true, status: 299, isAnswerable: true),
            Row(codes: [401], hasBody: true, status: 300, isAnswerable: false),
            Row(codes: [401], hasBody: true, isSending: true, status: 200, isAnswerable: false),
            Row(codes: [401], status: 200, isAnswerable: false),
            // The server does not wait for the body (RFC 9110, section 15.5.18).
            Row(hasBody: true, expects: true, status: 417, isAnswerable: true),
            Row(hasBody: true, expects: true, isSending: true, status: 417, isAnswerable: false),
            Row(hasBody: true, status: 417, isAnswerable: false), Row(expects: true, status: 417, isAnswerable: false),
        ]
    }

    private func response(_ status: Int) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://here.test/"))
        return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
    }

    @Test("A response is undecided if libcurl may answer it", arguments: Row.all)
    func answerable(_ row: Row) throws {
        var answers = LibcurlAnswers(to: row.codes, hasBody: row.hasBody, expectsContinue: row.expects)
        let response = try response(row.status)
        #expect(answers.keep(response, whileSending: row.isSending) == row.isAnswerable)
        #expect(answers.undecidedResponse == (row.isAnswerable ? response : nil))
        #expect(answers.isChallenged == row.isAnswerable)
        #expect(answers.ignoresBody(whileSending: row.isSending) == (row.isAnswerable && row.status == 417))
        #expect(answers.takeUndecidedResponse() == (row.isAnswerable ? response : nil))
        #expect(answers.undecidedResponse == nil)
    }

    @Test("After a challenge, a success is the last response, until the body is sent again")
    func successAfterChallenge() throws {
        var answers = LibcurlAnswers(to: [401], hasBody: true, expectsContinue: false)
        let isChallengeKept = answers.keep(try response(401), whileSending: false)
        _ = answers.takeUndecidedResponse()
        let isSuccessKept = answers.keep(try response(200), whileSending: false)
        #expect(isChallengeKept)
        #expect(!isSuccessKept)
        answers.noteSending()
        #expect(!answers.isChallenged)
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation

/// The responses that libcurl answers itself, by another request: challenges of Digest (RFC 7616), and 417 (RFC 9110, section 15.5.18).
///
/// Whether it answers a response is known later: it sends the next request, or gives the body, or ends. Until then, the response is
/// undecided.
struct LibcurlAnswers {
    /// The codes of challenges that it answers.
    let challengeCodes: [Int]

    /// Whether the request has a body, and whether the server is to say first that it wants it.
    let hasBody: Bool
    let expectsContinue: Bool

    private(set) var undecidedResponse: HTTPURLResponse?

    /// Whether the server has challenged the last request, which it has not acted on.
    private(set) var isChallenged = false

    init(to challengeCodes: [Int], hasBody: Bool, expectsContinue: Bool) {
        self.challengeCodes = challengeCodes
        self.hasBody = hasBody
        self.expectsContinue = expectsContinue
    }

    /// Keeps a response that libcurl may answer.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - isSending: Whether bytes of the body have been sent.
    /// - Returns: Whether it may.
    mutating func keep(_ response: HTTPURLResponse, whileSending isSending: Bool) -> Bool {
        guard isAnswerable(response, isSending) else { return false }
        undecidedResponse = response
        isChallenged = true
        return true
    }

    private func isAnswerable(_ response: HTTPURLResponse, _ isSending: Bool) -> Bool {
        if isFailedExpectation(response, isSending) { return true }
        if challengeCodes.contains(response.statusCode) { return true }
        // Its first request asks for a challenge, and has no body. If there is none, it sends the body by another request.
        return !challengeCodes.isEmpty && response.statusCode < 300 && hasBody && !isChallenged && !isSending
    }

    /// Whether libcurl sends the request again, with its body at once. It does not if the response closes the connection.
    private func isFailedExpectation(_ response: HTTPURLResponse, _ isSending: Bool) -> Bool {
        guard response.statusCode == 417, hasBody, !isSending, expectsContinue else { return false }
        return response.value(forHTTPHeaderField: "Connection")?.lowercased().contains("close") != true
    }

    /// Whether bytes are the body of a 417 that libcurl answers. It gives no other body of a response that it answers.
    func ignoresBody(whileSending isSending: Bool) -> Bool {
        undecidedResponse.map { isFailedExpectation($0, isSending) } ?? false
    }

    /// The server gets the body of the request.
    mutating func noteSending() { isChallenged = false }

    /// It is decided: libcurl answers the response, or it is the last one.
    mutating func takeUndecidedResponse() -> HTTPURLResponse? { undecidedResponse.take() }
}

#endif

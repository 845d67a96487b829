import Foundation
import URLSessionResult

/// Redirects and challenges that a client has to follow before it gets an answer.
struct ResponseChain: Sendable {
    enum Step: String, Sendable {
        case redirect, challenge

        /// A challenge of Digest, which libcurl answers by two requests, the first of which has no body.
        case digest
    }

    let steps: [Step]

    /// How many requests a client sends.
    var requestCount: Int { steps.count + 1 + bodilessCount }

    /// How many of them have no body, whatever is sent.
    var bodilessCount: Int { count(of: .digest) }

    var challengeCount: Int { count(of: .challenge) + count(of: .digest) }

    func count(of step: Step) -> Int { steps.count { $0 == step } }

    static let all: [ResponseChain] =
        ([
            [], [.redirect], [.redirect, .redirect], [.challenge], [.challenge, .redirect], [.redirect, .challenge],
        ] + withDigest).map(ResponseChain.init)

    #if os(Linux)
    private static let withDigest: [[Step]] = [[.digest], [.digest, .redirect], [.redirect, .digest]]
    #else
    private static let withDigest: [[Step]] = []
    #endif

    /// The password that answers every challenge.
    static let credential = URLCredential(user: "user", password: "pass", persistence: .none)

    /// Leads a request along the chain, which begins at `/0`, and then answers.
    ///
    /// A redirect repeats the method and the body, and leads to the next number. A challenge asks about the same one.
    func response(ending response: LoopbackServer.Response) -> LoopbackServer.Response {
        #if os(Linux)
        let digest = DigestServer()
        #endif
        return LoopbackServer.Response { request, connection in
            var index = Int(request.path.split(separator: "/").last ?? "") ?? 0
            if index < steps.count, steps[index] == .challenge {
                guard request.header("Authorization") != nil else {
                    return try connection.respond(with: .challenge(#"Basic realm="x""#), to: request)
                }
                index += 1
            }
            #if os(Linux)
            if index < steps.count, steps[index] == .digest {
                guard digest.isAnswered(by: request) else { return try digest.refusal().play(request, connection) }
                index += 1
            }
            #endif
            let isRedirect = index < steps.count && steps[index] == .redirect
            let answer = isRedirect ? LoopbackServer.Response.redirect(to: "\(index + 1)", status: 307) : response
            try answer.play(request, connection)
        }
    }
}

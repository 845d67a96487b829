import Foundation
import URLSessionResult

/// Redirects and challenges that a client has to follow before it gets an answer.
struct ResponseChain: Sendable {
    enum Step: String, Sendable {
        case redirect, challenge
    }

    let steps: [Step]

    /// How many requests a client sends.
    var requestCount: Int { steps.count + 1 }

    func count(of step: Step) -> Int { steps.count { $0 == step } }

    static let all: [ResponseChain] = [
        [], [.redirect], [.redirect, .redirect], [.challenge], [.challenge, .redirect], [.redirect, .challenge],
    ].map(ResponseChain.init)

    /// The password that answers every challenge.
    static let credential = URLCredential(user: "user", password: "pass", persistence: .none)

    /// Leads a request along the chain, which begins at `/0`, and then answers.
    ///
    /// A redirect repeats the method and the body, and leads to the next number. A challenge asks about the same one.
    func response(ending response: LoopbackServer.Response) -> LoopbackServer.Response {
        LoopbackServer.Response { request, connection in
            var index = Int(request.path.split(separator: "/").last ?? "") ?? 0
            if index < steps.count, steps[index] == .challenge {
                guard request.header("Authorization") != nil else {
                    return try connection.respond(with: .challenge(#"Basic realm="x""#), to: request)
                }
                index += 1
            }
            let isRedirect = index < steps.count && steps[index] == .redirect
            let answer = isRedirect ? LoopbackServer.Response.redirect(to: "\(index + 1)", status: 307) : response
            try answer.play(request, connection)
        }
    }
}

import Foundation
import URLSessionResult

/// What a client has to do before it gets an answer.
struct HopRoute: Sendable {
    enum Hop: String, Sendable {
        case redirect, challenge
    }

    let hops: [Hop]

    /// How many requests a client sends.
    var requestCount: Int { hops.count + 1 }

    func count(of hop: Hop) -> Int { hops.count { $0 == hop } }

    static let all: [HopRoute] = [
        [], [.redirect], [.redirect, .redirect], [.challenge], [.challenge, .redirect], [.redirect, .challenge],
    ].map(HopRoute.init)

    /// The password that answers every challenge.
    static let credential = URLCredential(user: "user", password: "pass", persistence: .none)

    /// Leads a request along the route, which begins at `/0`, and then answers.
    ///
    /// A redirect repeats the method and the body, and leads to the next number. A challenge asks about the same one.
    func response(ending response: LoopbackServer.Response) -> LoopbackServer.Response {
        LoopbackServer.Response { request, connection in
            var index = Int(request.path.split(separator: "/").last ?? "") ?? 0
            if index < hops.count, hops[index] == .challenge {
                guard request.header("Authorization") != nil else {
                    return try connection.respond(with: .challenge(#"Basic realm="x""#), to: request)
                }
                index += 1
            }
            let isRedirect = index < hops.count && hops[index] == .redirect
            let answer = isRedirect ? LoopbackServer.Response.redirect(to: "\(index + 1)", status: 307) : response
            try answer.play(request, connection)
        }
    }
}

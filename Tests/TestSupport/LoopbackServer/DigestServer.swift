#if os(Linux)

import Foundation

/// A server's side of Digest (RFC 7616, section 3): it gives each challenge a nonce of its own, and takes no answer twice.
final class DigestServer: Sendable {
    enum Hash: String, CaseIterable, Sendable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
        case md5Session = "MD5-sess"
        case sha256Session = "SHA-256-sess"
    }

    private let hash: Hash

    /// The latest count (`nc`) of each nonce.
    private let counts = Monitor<[String: String]>([:])

    init(_ hash: Hash = .sha256) { self.hash = hash }

    /// A new challenge.
    func challenge(isStale: Bool = false) -> String {
        let nonce = counts.withLock { counts in
            let nonce = "nonce \(counts.count)"
            counts[nonce] = "00000000"
            return nonce
        }
        let stale = isStale ? ", stale=true" : ""
        return
            #"Digest realm="x, y", qop="auth, auth-int", algorithm=\#(hash.rawValue), nonce="\#(nonce)", opaque="o"\#(stale)"#
    }

    /// A 401 with a new challenge.
    func refusal(isStale: Bool = false) -> LoopbackServer.Response { .challenge(challenge(isStale: isStale)) }

    /// Answers with a response where a request has the right credential, and else with a challenge.
    func response(ending response: LoopbackServer.Response) -> LoopbackServer.Response {
        LoopbackServer.Response { [self] request, connection in
            let next = isAnswered(by: request) ? response : refusal()
            try next.play(request, connection)
        }
    }

    /// Whether a request has the credential of `ResponseChain`, in an answer that was not given before.
    func isAnswered(by request: LoopbackServer.Request, in field: String = "Authorization") -> Bool {
        guard let answer = request.header(field), answer.hasPrefix("Digest ") else { return false }
        let parts = Self.parameters(of: answer)
        guard let nonce = parts["nonce"], let count = parts["nc"], isNew(count, of: nonce),
            parts["username"] == "user", parts["realm"] == "x, y", parts["opaque"] == "o", parts["qop"] == "auth",
            let own = parts["cnonce"],
            // A proxy gets a whole URL, and a reverse proxy may have taken the beginning of the path away.
            let target = parts["uri"], target.hasSuffix(request.target) || request.target.hasSuffix(target)
        else { return false }
        var secret = digest("user:x, y:pass")
        if hash == .md5Session || hash == .sha256Session { secret = digest("\(secret):\(nonce):\(own)") }
        let resource = digest("\(request.method):\(target)")
        return parts["response"] == digest("\(secret):\(nonce):\(count):\(own):auth:\(resource)")
    }

    private func isNew(_ count: String, of nonce: String) -> Bool {
        counts.withLock { counts in
            guard let last = counts[nonce], count > last else { return false }
            counts[nonce] = count
            return true
        }
    }

    private static func parameters(of field: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for match in field.dropFirst("Digest ".count).matches(of: #/(?<name>\w+)=("(?<quoted>[^"]*)"|(?<token>[^,]*))/#)
        {
            parameters[String(match.name)] = (match.quoted ?? match.token).map { String($0) }
        }
        return parameters
    }

    private func digest(_ text: String) -> String {
        let isMD5 = hash == .md5 || hash == .md5Session
        let bytes = try? OpenSSL.shared.get().digest(of: Data(text.utf8), isMD5: isMD5)
        return (bytes ?? []).map { String(format: "%02x", $0) }.joined()
    }
}

#endif

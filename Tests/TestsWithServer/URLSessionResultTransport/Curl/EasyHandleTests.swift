#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Each request has a transfer of libcurl of its own: libcurl 7.88 follows a dangling pointer in one that has had a request before, if the
/// first field of a response is folded.
@Suite(.inTurn)
struct EasyHandleTests {
    /// A request, with what its server does.
    enum Step: String, CaseIterable {
        case get, lostPut, lostStream, lostPost, folded

        /// Whether a kept connection is lost, and the request goes along or not.
        var isLost: Bool { self == .lostPut || self == .lostStream || self == .lostPost }

        func end(_ form: APIForm) -> End {
            switch self {
            case .get: End(body: "")
            // A form that uploads has data to send again, in place of the stream.
            case .lostPut: End(body: "sent")
            case .lostStream: form.uploads ? End(body: "sent") : End(code: .networkConnectionLost)
            case .lostPost: End(code: .networkConnectionLost)
            case .folded: End(code: .cannotParseResponse)
            }
        }

        func request(_ url: URL) -> URLRequest {
            var request = URLRequest(url: url, method: .put)
            switch self {
            case .get, .folded: request.httpMethod = "GET"
            case .lostPut: request.httpBody = APIForm.uploadedBody
            case .lostStream: request.httpBodyStream = InputStream(data: APIForm.uploadedBody)
            case .lostPost:
                request.httpMethod = "POST"
                request.httpBody = APIForm.uploadedBody
            }
            return request
        }
    }

    struct End: Equatable {
        var body: String?
        var code: URLError.Code?
    }

    /// Closes the connection when a request comes whose target was not requested before, if the target says so.
    private func makeServer() throws -> LoopbackServer {
        let targets = Monitor<Set<String>>([])
        return try LoopbackServer { request, connection in
            if request.target.hasPrefix("/folded") {
                try LoopbackServer.Response.raw(" folded: x", body: "abc").play(request, connection)
            } else if request.target.hasPrefix("/lost"), targets.withLock({ $0.insert(request.target).inserted }) {
                connection.close()
            } else {
                try connection.respond(body: request.body)
            }
        }
    }

    @Test("A session gets ten times in turn what a new one gets", arguments: APIForm.some)
    func rounds(_ form: APIForm) async throws {
        let server = try makeServer()
        let kept = URLSession(configuration: .forTests)
        for round in 1...10 {
            for step in Step.allCases {
                let new = URLSession(configuration: .forTests)
                for (name, session) in ["new": new, "kept": kept] {
                    let target = "/\(step)?\(round)\(name)"
                    let end = try await end(of: step, at: server.url(target), by: form, in: session)
                    #expect(end == step.end(form), "\(target)")
                    let isSentAgain = step.isLost && step.end(form).code == nil
                    #expect(server.requests.count { $0.target == target } == (isSentAgain ? 2 : 1), "\(target)")
                }
            }
        }
    }

    private func end(of step: Step, at url: URL, by form: APIForm, in session: URLSession) async throws -> End {
        let other = form.uploads ? APIForm.dataTask : form
        if step.isLost {
            // Leaves a connection behind.
            let root = try #require(URL(string: "/", relativeTo: url))
            _ = try await other.run(session, URLRequest(url: root)).get()
        }
        let result = await (step == .get || step == .folded ? other : form).run(session, step.request(url))
        switch result {
        case .success(let body): return End(body: String(decoding: body, as: UTF8.self))
        case .failure(let error): return End(code: error.urlError?.code)
        }
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// The request that follows a redirect.
struct RedirectedRequestTests {
    private static let fieldsOfBody = [
        "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type", "Digest",
        "Last-Modified", "Transfer-Encoding",
    ]
    private static let fieldsOfOrigin = ["Authorization", "Cookie", "Host", "Proxy-Authorization"]

    @Test(
        "A request becomes a GET where browsers make it one",
        arguments: [
            (301, "POST", true), (302, "POST", true), (303, "POST", true), (303, "PUT", true), (303, "DELETE", true),
            (301, "PUT", false), (302, "PUT", false), (301, "GET", false), (303, "GET", false), (303, "HEAD", false),
            (300, "POST", false), (304, "POST", false), (307, "POST", false), (308, "POST", false),
        ])
    func method(status: Int, method: String, becomesGET: Bool) throws {
        var request = try request("http://here.test/", method)
        request.httpBody = Data("body".utf8)
        for field in Self.fieldsOfBody { request.setValue("x", forHTTPHeaderField: field.uppercased()) }
        request.setValue("x", forHTTPHeaderField: "Accept")
        let next = try redirect(request, to: "http://here.test/next", status).proposal.request
        #expect(next.httpMethod == (becomesGET ? "GET" : method))
        #expect(next.httpBody == (becomesGET ? nil : Data("body".utf8)))
        let kept = Self.fieldsOfBody.filter { next.value(forHTTPHeaderField: $0) != nil }
        #expect(kept == (becomesGET ? [] : Self.fieldsOfBody))
        #expect(next.value(forHTTPHeaderField: "Accept") == "x")
    }

    @Test(
        "Credentials and cookies stay at their origin",
        arguments: [
            ("http://here.test/", "/next", true), ("http://here.test/", "HTTP://HERE.TEST/", true),
            ("http://here.test/", "http://here.test:80/", true), ("http://here.test:81/", "http://here.test/", false),
            ("http://here.test/", "http://there.test/", false), ("http://here.test/", "https://here.test/", false),
            ("https://here.test/", "http://here.test/", false), ("https://here.test/", "https://here.test:443/", true),
            ("https://here.test/", "https://here.test:80/", false),
            ("http://here.test:443/", "https://here.test/", false),
        ])
    func origin(source: String, location: String, isSame: Bool) throws {
        var request = try request(source, "GET")
        for field in Self.fieldsOfOrigin { request.setValue("x", forHTTPHeaderField: field.lowercased()) }
        request.setValue("x", forHTTPHeaderField: "Accept")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["PROXY-AUTHORIZATION": "y", "X-Own": "y"]
        let proposal = try redirect(request, to: location, 307, configuration).proposal
        let next = proposal.request
        let kept = Self.fieldsOfOrigin.filter { next.value(forHTTPHeaderField: $0) == "x" }
        #expect(kept == (isSame ? Self.fieldsOfOrigin : []))
        // What the configuration would add for one origin stays away, too.
        let sent = proposal.completed(by: configuration)
        #expect(sent.value(forHTTPHeaderField: "Proxy-Authorization") == (isSame ? "x" : nil))
        #expect(sent.value(forHTTPHeaderField: "X-Own") == "y")
        #expect(next.value(forHTTPHeaderField: "Accept") == "x")
        #expect(next.value(forHTTPHeaderField: "X-Own") == nil)
    }

    @Test(
        "Of the fields of another request, those that describe the content go to another origin, too",
        arguments: [
            ("Accept", true), ("accept-language", true), ("Cache-Control", true), ("Content-Type", true),
            ("If-None-Match", true), ("Last-Event-ID", true), ("RANGE", true), ("User-Agent", true), ("X-Key", false),
            ("Authorization", false), ("X-Range", false), ("Ranges", false), ("Cookie", false),
        ])
    func secrets(name: String, isKept: Bool) throws {
        var first = try request("http://here.test/", "GET")
        first.setValue("x", forHTTPHeaderField: name)
        for (url, value, isSame) in [
            ("http://there.test/", "x", isKept), ("http://there.test/", "y", true), ("http://here.test/", "x", true),
            ("http://here.test/next", "x", true),
        ] {
            var next = try request(url, "GET")
            next.setValue(value, forHTTPHeaderField: name)
            next.removeSecrets(of: first)
            #expect(next.value(forHTTPHeaderField: name) == (isSame ? value : nil))
        }
    }

    @Test(
        "An upload is sent as a request with a body of its own if the delegate set one",
        arguments: [
            ("old", "old", true), ("old", "new", false), ("old", nil, true), (nil, nil, true), (nil, "new", false),
        ]
            as [(String?, String?, Bool)])
    func ownBody(proposed: String?, answered: String?, isUpload: Bool) throws {
        var request = try request("http://here.test/", "PUT")
        request.httpBody = proposed.map { Data($0.utf8) }
        let redirect = try redirect(request, to: "/next", 307, kind: .upload(.data(Data("upload".utf8))))
        var answer = redirect.proposal.request
        answer.httpBody = answered.map { Data($0.utf8) }
        let prepared = try #require(try redirect.next(answer))
        #expect(prepared.kind.isUpload == isUpload)
    }

    private func request(_ url: String, _ method: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        return request
    }

    private func redirect(
        _ request: URLRequest, to location: String, _ status: Int,
        _ configuration: URLSessionConfiguration = .ephemeral, kind: TaskKind = .data
    ) throws -> Redirect {
        let response = HTTPURLResponse(
            url: try #require(request.url), statusCode: status, httpVersion: nil, headerFields: ["Location": location])
        let redirect = try Redirect(
            try #require(response), of: PreparedRequest(request, kind), to: nil, configuration: configuration,
            adding: Cookies(of: configuration, for: request), keeping: .allButCredentials)
        return try #require(redirect)
    }
}

#endif

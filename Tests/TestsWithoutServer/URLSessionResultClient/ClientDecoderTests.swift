import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

/// Which `JSONDecoder` decodes.
struct ClientDecoderTests {
    private struct Concert: Codable, Sendable, Equatable {
        var startsAt: Date
    }

    /// A date that only `.iso8601` reads, under a name that only `.convertFromSnakeCase` finds.
    private static let concert = #"{"starts_at":"1970-01-01T00:01:00Z"}"#
    private static let atOneMinute = Concert(startsAt: Date(timeIntervalSince1970: 60))

    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    private func client(_ stub: SessionStub, decoder: JSONDecoder = decoder()) throws -> APIClient {
        let url = try #require(URL(string: "https://api.test/v1"))
        return APIClient(baseURL: url, session: stub.session, decoder: decoder)
    }

    /// Every decoder for JSON, alone and within others.
    private static func decoders(using own: JSONDecoder?) -> [(String, ResultDecoder<[Concert]>)] {
        [
            ("[\(concert)]", .json(using: own)),
            (#"{"a":[\#(concert)]}"#, .json(at: "a", using: own)),
            ("[\(concert)]", .jsonArray(of: Concert.self, using: own)),
            ("[7,\(concert)]", .jsonArray(of: Concert.self, invalidElements: .skip { _, _ in }, using: own)),
            (#"{"x":\#(concert)}"#, .jsonValues(of: Concert.self, using: own)),
            (#"{"y":7,"x":\#(concert)}"#, .jsonValues(invalidElements: .skip { _, _ in }, using: own)),
            (#"{"x":\#(concert)}"#, .jsonMembers(of: Concert.self, using: own).map { $0.map(\.value) }),
            (concert, .json(Concert.self, using: own).map { [$0] }),
            (concert, .response(.json(Concert.self, using: own)).map { [$0.body] }),
        ]
    }

    @Test("The decoder of an endpoint uses that of the client, in every call", arguments: 0..<9)
    func endpoint(index: Int) async throws {
        let (body, decoder) = Self.decoders(using: nil)[index]
        let client = try client(SessionStub(.json(body)))
        let endpoint = Endpoint(.get, "concerts", decoder: decoder)
        let request = URLRequest(url: client.baseURL)
        #expect(try await client.result(for: endpoint).get() == [Self.atOneMinute])
        #expect(try await client.response(for: endpoint).get().body == [Self.atOneMinute])
        #expect(try await client.result(for: endpoint.optional).get() == [Self.atOneMinute])
        #expect(try await client.result(for: endpoint.map(\.first)).get() == Self.atOneMinute)
        #expect(try await client.result(for: request, decoder: decoder).get() == [Self.atOneMinute])
        var pages = client.pages(for: endpoint).makeAsyncIterator()
        #expect(try await pages.next() == [Self.atOneMinute])
    }

    @Test("A decoder that has its own uses that, whatever the client has", arguments: 0..<9)
    func own(index: Int) async throws {
        let (body, decoder) = Self.decoders(using: Self.decoder())[index]
        let client = try client(SessionStub(.json(body)), decoder: JSONDecoder())
        #expect(try await client.result(for: Endpoint(.get, "concerts", decoder: decoder)).get() == [Self.atOneMinute])
        let plain = Self.decoders(using: JSONDecoder())[index].1
        let other = try self.client(SessionStub(.json(body)))
        guard case .failure(.decodingError) = await other.result(for: Endpoint(.get, "concerts", decoder: plain)) else {
            // An invalid element is skipped.
            return #expect(body.contains("7"))
        }
    }

    @Test(
        "The values of a stream of the client are decoded by that of the client",
        arguments: [("data: \(concert)\n\n", "text/event-stream"), ("\(concert)\n", "application/x-ndjson")])
    func stream(body: String, type: String) async throws {
        let client = try client(SessionStub(.text(body, headers: ["Content-Type": type])))
        for endpoint in [
            Endpoint(.get, "concerts", as: Concert.self), Endpoint(.get, "concerts", decoder: .json()),
        ] {
            var values = client.values(for: endpoint).makeAsyncIterator()
            #expect(try await values.next() == Self.atOneMinute)
        }
    }

    @Test("An empty body of an optional endpoint is nil, and a body that cannot be decoded keeps its response")
    func optional() async throws {
        let endpoint = Endpoint(.get, "concerts", decoder: .json(Concert.self)).optional
        #expect(try await client(SessionStub(.response(statusCode: 204))).result(for: endpoint).get() == nil)
        let error = try await client(SessionStub(.json("{}", headers: ["X-Name": "x"]))).result(for: endpoint).error
        #expect(error?.description == "decodingError(startsAt: expected a value, found none)")
        #expect(error?.response?.header("X-Name") == "x")
    }

    @Test("What code decodes itself is decoded by a new JSONDecoder, or by the one that it gives")
    func byHand() async throws {
        let stub = SessionStub(.json(Self.concert, statusCode: 500))
        let client = try client(stub)
        let endpoint = Endpoint(.get, "concerts", as: Concert.self)
        let error = await client.result(for: endpoint).error
        #expect(error?.body(with: .json(Concert.self)) == nil)
        #expect(error?.body(with: .json(Concert.self, using: client.decoder)) == Self.atOneMinute)

        stub.answer(.json(Self.concert))
        let closure = ResultDecoder.response { try $0.decode(with: .json(Concert.self)).get() }
        guard case .failure(.decodingError) = await client.result(for: Endpoint(.get, "concerts", decoder: closure))
        else {
            Issue.record("The decoder of the client was used.")
            return
        }

        let stream = try await client.bytesResult(for: endpoint).get().body
        let error2 = await #expect(throws: NetworkError.self) {
            for try await _ in stream.lines.values(.json(Concert.self)) {}
        }
        #expect(error2?.response?.body == Data(Self.concert.utf8))
    }

    @Test("A session uses a new one")
    func session() async throws {
        let session = SessionStub(.json(Self.concert)).session
        let url = try #require(URL(string: "https://api.test"))
        #expect(await session.dataResult(from: url, decoder: .json(Concert.self)).error != nil)
        let given = await session.dataResult(from: url, decoder: .json(Concert.self, using: Self.decoder()))
        #expect(try given.get() == Self.atOneMinute)
    }
}

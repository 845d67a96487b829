import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

/// Chains of calls that begin with a leading dot, which stands for the type of the whole chain. Most of them hold when they
/// compile.
struct ResultDecoderChainsTests {
    private struct Item: Codable, Equatable, Sendable {
        let id: Int
    }

    private func decode<T>(_ body: String, with decoder: ResultDecoder<T>) throws -> T {
        try decoder.decode(.success(Data(body.utf8))).get()
    }

    private let array = #"[{"id": 1}, {"id": 2}]"#
    private let object = #"{"items": {"b": {"id": 1}, "a": {"id": 2}}}"#

    @Test("JSON, with the type as an argument")
    func json() throws {
        #expect(try decode(array, with: .json([Item].self).map(\.count)) == 2)
        #expect(try decode(array, with: .jsonArray(of: Item.self).map { items in items.map(\.id) }) == [1, 2])
        let ids = try decode(
            object,
            with: .jsonValues(of: Item.self, at: "items").map { items in
                let ids = items.map(\.id)
                return ids
            })
        #expect(ids == [1, 2])
    }

    @Test("JSON, with the type in the closure")
    func jsonOfClosure() throws {
        #expect(try decode(array, with: .json().map { (items: [Item]) in items.count }) == 2)
        #expect(try decode(array, with: .jsonArray().map { (items: [Item]) in items.map(\.id) }) == [1, 2])
        #expect(try decode(object, with: .jsonValues(at: "items").map { (items: [Item]) in items.last?.id }) == 2)
        let sum = try decode(
            #"{"data": [1, 2]}"#,
            with: .json(at: "data").map { (numbers: [Int]) in
                var sum = 0
                for number in numbers { sum += number }
                return sum
            })
        #expect(sum == 3)
    }

    @Test("Property lists")
    func propertyList() throws {
        let list = try #require(String(bytes: PropertyListEncoder.xml.encode([1, 2]), encoding: .utf8))
        #expect(try decode(list, with: .propertyList([Int].self).map(\.count)) == 2)
        #expect(try decode(list, with: .propertyList().map { (numbers: [Int]) in numbers.count }) == 2)
    }

    @Test("Text and bytes")
    func bytes() throws {
        #expect(try decode("four", with: .string().map(\.count)) == 4)
        #expect(try decode("four", with: .string(encoding: .ascii).map { text in text.uppercased() }) == "FOUR")
        #expect(try decode("four", with: .data.map(\.count)) == 4)
        #expect(try decode("four", with: .data.map { bytes in String(decoding: bytes, as: UTF8.self) }) == "four")
        #expect(try decode("7", with: .binary { Int(String(decoding: $0, as: UTF8.self)) }.map { $0 + 1 }) == 8)
        let isThere: Bool = try decode("four", with: .ignored.map { true })
        #expect(isThere)
    }

    @Test("The response")
    func response() async throws {
        let stub = SessionStub(.response(statusCode: 201, headers: ["ETag": "v1"], body: Data(array.utf8)))
        let session = stub.session
        let url = try #require(URL(string: "https://example.com/items"))
        let tag = await session.dataResult(
            from: url, decoder: .response(.json([Item].self)).map { $0.header("ETag") })
        #expect(try tag.get() == "v1")
        let status = await session.dataResult(
            from: url, decoder: .response { response in response.statusCode }.map { $0 ?? 0 })
        #expect(try status.get() == 201)
        let count = await session.dataResult(
            from: url, decoder: .response(.string()).map(\.body).map(\.count))
        #expect(try count.get() == array.count)
    }

    @Test("The context says what the value is where nothing is mapped")
    func context() throws {
        let items: [Item] = try decode(array, with: .json())
        #expect(items.count == 2)
        let list = try #require(String(bytes: PropertyListEncoder.xml.encode([1, 2]), encoding: .utf8))
        let numbers: [Int] = try decode(list, with: .propertyList())
        #expect(numbers == [1, 2])
        let text: ResultDecoder<String> = .string()
        #expect(try decode("four", with: text) == "four")
        let length = ResultDecoder.string().map(\.count)
        #expect(try decode("four", with: length) == 4)
    }
}

extension PropertyListEncoder {
    fileprivate static var xml: PropertyListEncoder {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return encoder
    }
}

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

struct DataDecodingTests {
    private struct Settings: Codable, Equatable {
        var volume: Int
    }

    private struct Swapped: DataDecoding {
        func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            try JSONDecoder().decode(type, from: Data(data.reversed()))
        }
    }

    private func decode<T>(_ body: Data, with decoder: ResultDecoder<T>) throws -> T {
        try decoder.decode(body)
    }

    @Test(
        "Property lists are decoded, as XML and as binary",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let body = try encoder.encode(Settings(volume: 11))
        #expect(try decode(body, with: .decodable(Settings.self, using: PropertyListDecoder())) == Settings(volume: 11))
    }

    @Test("A parser that is not Foundation's will do, and what it throws is a decodingError")
    func otherParsers() throws {
        #expect(try decode(Data("]2,1[".utf8), with: .decodable([Int].self, using: Swapped())) == [1, 2])
        #expect(
            ResultDecoder.decodable([Int].self, using: Swapped()).failure("]x[")?.hasPrefix("dataCorrupted") == true)
    }

    @Test("JSONDecoder is a parser like the others, with its options")
    func json() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let dates = try decode(Data("[1]".utf8), with: .decodable([Date].self, using: decoder))
        #expect(dates == [Date(timeIntervalSince1970: 1)])
    }
}

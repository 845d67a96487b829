import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

struct ResultDecoderPropertyListTests {
    private struct Settings: Codable, Equatable {
        var volume: Int
    }

    @Test(
        "Property lists are decoded, as XML and as binary",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let body = try encoder.encode(Settings(volume: 11))
        #expect(try ResultDecoder.propertyList(Settings.self).decode(body) == Settings(volume: 11))
    }

    private enum Trace: Decodable {
        case left

        init(from decoder: any Decoder) throws {
            guard decoder.userInfo.values.contains(where: { $0 as? String == "kept" }) else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Another decoder."))
            }
            self = .left
        }
    }

    @Test("The given PropertyListDecoder decodes, with its options")
    func options() throws {
        let decoder = PropertyListDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "trace"))] = "kept"
        let body = try PropertyListEncoder().encode(Settings(volume: 11))
        #expect(try ResultDecoder.propertyList(Trace.self, using: decoder).decode(body) == .left)
        #expect(throws: NetworkError.self) { try ResultDecoder.propertyList(Trace.self).decode(body) }
    }

    @Test("What is no property list is a decodingError")
    func otherFormat() {
        let error = ResultDecoder.propertyList(Settings.self).decode(.success(Data("]x[".utf8))).error
        guard case .decodingError(DecodingError.dataCorrupted, nil)? = error else {
            Issue.record(Comment(rawValue: "The error is \(error, default: "none")."))
            return
        }
    }
}

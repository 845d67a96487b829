import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Documents with which a server could crash a decoder of Foundation.
struct UntrustedDocumentTests {
    private static let json5: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return decoder
    }()

    /// Every kind of decoder for JSON.
    private static let decoders: [ResultDecoder<Void>] = [
        .json(JSONOnlooker.self).map { _ in }, .json(JSONOnlooker.self, at: "a.a").map { _ in },
        .json(JSONOnlooker.self, at: "0").map { _ in }, .jsonArray(of: JSONOnlooker.self).map { _ in },
        .jsonValues(of: JSONOnlooker.self).map { _ in }, .json(JSONOnlooker.self, using: json5).map { _ in },
        .jsonArray(of: JSONOnlooker.self, invalidElements: .skip { _, _ in }).map { _ in },
        .jsonValues(of: JSONOnlooker.self, at: "a", invalidElements: .skip { _, _ in }).map { _ in },
        ResultDecoder<NetworkResponse<JSONOnlooker>>.response(.json()).map { _ in },
    ]

    @Test(
        "A document whose last byte opens the 513th level is a decodingError, whatever decodes it",
        arguments: [String(repeating: "[", count: 513), String(repeating: #"{"a":"#, count: 512) + "["])
    func deepDocument(text: String) {
        for decoder in Self.decoders {
            guard case .decodingError = decoder.decode(.success(Data(text.utf8))).error else {
                Issue.record("It is no decodingError.")
                continue
            }
        }
    }

    @Test("A number of JSON5 that cannot be read is a decodingError, whatever decodes it")
    func malformedNumber() {
        for decoder in [
            ResultDecoder.json([Double].self, using: Self.json5).map { _ in },
            .jsonArray(of: Double.self, invalidElements: .skip { _, _ in }, using: Self.json5).map { _ in },
            .jsonValues(of: Double.self, using: Self.json5).map { _ in },
            .json(Double.self, at: "0", using: Self.json5).map { _ in },
        ] {
            let error = decoder.decode(.success(Data("[1e-]".utf8))).error
            #expect(error?.description.contains("JSON") == true)
        }
    }

    private struct Recursive: Decodable, Sendable {
        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            while !elements.isAtEnd { _ = try elements.decode(Recursive.self) }
        }
    }

    private func deepList(_ count: Int, _ format: PropertyListSerialization.PropertyListFormat) -> Data {
        guard format == .binary else {
            let opening = String(repeating: "<array>", count: count)
            let closing = String(repeating: "</array>", count: count)
            return Data("<plist version=\"1.0\">\(opening)\(closing)</plist>".utf8)
        }
        // Each array holds the next object; the last is empty.
        var list = Data("bplist00".utf8)
        var offsets: [Int] = []
        for index in 0..<count {
            offsets.append(list.count)
            let isLast = index == count - 1
            list.append(contentsOf: isLast ? [0xA0] : [0xA1] + UInt32(index + 1).bytes)
        }
        let table = list.count
        for offset in offsets { list.append(contentsOf: UInt32(offset).bytes) }
        list.append(contentsOf: [0, 0, 0, 0, 0, 0, 4, 4])
        for number in [count, 0, table] { list.append(contentsOf: [0, 0, 0, 0] + UInt32(number).bytes) }
        return list
    }

    /// An array that claims to have 2^63 elements and more, in a document that is also a dictionary of OpenStep: what comes after
    /// `/*` is a comment there.
    private static let listThatIsText: Data = {
        let array: [UInt8] = [0xC2, 0xAF, 0x13, 0xF0, 0x90, 0x80, 0x80, 0x41, 0x41, 0x41, 0x41, 0x0C]
        let trailer: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 22],
        ]
        return Data(Array("bplist00;/*".utf8) + array + trailer.joined())
    }()

    /// An array whose element is the array.
    private static let endlessList: Data = {
        let object: [UInt8] = [0xA1, 0]
        let table: [UInt8] = [8]
        let numbers: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 10],
        ]
        return Data(Array("bplist00".utf8) + object + table + numbers.joined())
    }()

    @Test(
        "A property list of more than 512 levels is a decodingError",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func deepPropertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        let decoder = ResultDecoder.propertyList(Recursive.self)
        _ = try decoder.decode(deepList(500, format))
        for count in [600, 100_000] {
            let error = decoder.decode(.success(deepList(count, format))).error
            #expect(error?.description.contains("property list") == true)
        }
    }

    @Test("A binary property list that is also text is a decodingError")
    func listThatIsText() {
        for decoder in [
            ResultDecoder.propertyList([String].self).map { _ in },
            ResultDecoder.propertyList([String: String].self).map { _ in },
        ] {
            let error = decoder.decode(.success(Self.listThatIsText)).error
            #expect(error?.description.contains("property list") == true)
        }
    }

    @Test("A property list that contains itself is a decodingError")
    func endlessPropertyList() {
        let decoder = ResultDecoder.propertyList(Recursive.self)
        #expect(decoder.decode(.success(Self.endlessList)).error != nil)
    }
}

extension UInt32 {
    /// The most significant byte first.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

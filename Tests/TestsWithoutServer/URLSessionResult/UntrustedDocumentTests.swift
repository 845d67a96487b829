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
        return chain(of: count, references: 1)
    }

    /// Arrays of which each holds the next one, once or more often. The last is empty.
    private func chain(of count: Int, references: UInt8) -> Data {
        let arrays = (1..<count).map { next in
            [0xA0 + references] + repeatElement(UInt32(next).bytes, count: Int(references)).joined()
        }
        return binaryList(arrays + [[0xA0]])
    }

    /// A list of objects, of which the first one is the value. References to them have four bytes.
    private func binaryList(_ objects: [[UInt8]]) -> Data {
        var list = Data("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(list.count)
            list.append(contentsOf: object)
        }
        let table = list.count
        for offset in offsets { list.append(contentsOf: UInt32(offset).bytes) }
        list.append(contentsOf: [0, 0, 0, 0, 0, 0, 4, 4])
        for number in [objects.count, 0, table] { list.append(contentsOf: [0, 0, 0, 0] + UInt32(number).bytes) }
        return list
    }

    /// An array of an object that is there many times.
    private func array(of object: [UInt8], times count: Int) -> Data {
        let array = [0xAF, 0x12] + UInt32(count).bytes + repeatElement(UInt32(1).bytes, count: count).joined()
        return binaryList([array, object])
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

    /// To read the longer ones would take minutes and all memory.
    @Test("A property list whose arrays hold the next one twice is decoded, unless it has millions of them")
    func doublingPropertyList() throws {
        let decoder = ResultDecoder.propertyList(Recursive.self)
        _ = try decoder.decode(chain(of: 12, references: 2))
        for count in [28, 60, 400] {
            let error = decoder.decode(.success(chain(of: count, references: 2))).error
            #expect(error?.description.contains("property list") == true)
        }
    }

    @Test("A property list that has one long value many times is decoded, unless it would be far longer without that")
    func repeatedValue() throws {
        for marker in [0x4F, 0x5F] as [UInt8] {
            let value = [marker, 0x12] + UInt32(10_000).bytes + Array(repeating: UInt8(ascii: "x"), count: 10_000)
            let decoder =
                marker == 0x4F
                ? ResultDecoder.propertyList([Data].self).map(\.count)
                : ResultDecoder.propertyList([String].self).map(\.count)
            #expect(try decoder.decode(array(of: value, times: 100)) == 100)
            let error = decoder.decode(.success(array(of: value, times: 100_000))).error
            #expect(error?.description.contains("property list") == true)
        }
        let short = ResultDecoder.propertyList([String].self)
        #expect(try short.decode(array(of: [0x51, UInt8(ascii: "x")], times: 20_000)).count == 20_000)
    }

    @Test("A property list with a set, which crashes PropertyListSerialization, is a decodingError")
    func listWithSet() {
        for object in [[0xC0], [0xC1] + UInt32(2).bytes] as [[UInt8]] {
            let list = binaryList([[0xA1] + UInt32(1).bytes, object, [0x09]])
            let error = ResultDecoder.propertyList([[Bool]].self).decode(.success(list)).error
            #expect(error?.description.contains("property list") == true)
        }
    }

    @Test("A property list whose arrays are in the same bytes is a decodingError")
    func overlappingArrays() {
        let numbers = 1...100
        // An object without bytes begins where the next one does.
        let list = binaryList(
            [[0xAF, 0x10, 100] + numbers.flatMap { UInt32($0).bytes }] + numbers.dropLast().map { _ in [] }
                + [[0xAF, 0x10, 100] + numbers.flatMap { _ in UInt32(101).bytes }, [0xA0]])
        let error = ResultDecoder.propertyList(Recursive.self).decode(.success(list)).error
        #expect(error?.description.contains("property list") == true)
    }

    @Test("A damaged binary property list is decoded or a decodingError", arguments: 0..<4)
    func damagedPropertyList(seed: UInt64) throws {
        struct Album: Codable {
            var title: String
            var years: [Int]
            var cover: Data
            var prices: [String: Double]
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let albums = (0..<3).map { index in
            Album(title: "Blue \(index)é", years: [1971, index], cover: Data([1, 2]), prices: ["a": 0.5, "b": 2])
        }
        let list = try encoder.encode(albums)
        let decoder = ResultDecoder.propertyList([Album].self)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            var damaged = list
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                damaged[Int.random(in: 7..<list.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = decoder.decode(.success(damaged))
            _ = decoder.decode(.success(list.prefix(Int.random(in: 0...list.count, using: &generator))))
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

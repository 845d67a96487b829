import Foundation
import Testing

@testable import URLSessionResult

/// Documents with which a server could crash a decoder of Foundation.
@Suite(.inTurn)
struct UntrustedDocumentTests {
    /// A document whose last character opens the 513th level.
    struct DeepDocument: CustomTestStringConvertible {
        let testDescription: String
        let data: Data

        private init(_ name: String, _ text: String, in encoding: String.Encoding = .utf8, mark: [UInt8] = []) {
            testDescription = name
            data = Data(mark) + (text.data(using: encoding) ?? Data())
        }

        static let arrays = DeepDocument("arrays", String(repeating: "[", count: 513))
        static let objects = DeepDocument("objects", String(repeating: #"{"a":"#, count: 512) + "[")
        private static let both = String(repeating: #"[{"a":"#, count: 256)

        static let all = [
            arrays, objects, DeepDocument("both", both + "["), DeepDocument("an object last", both + "{"),
            DeepDocument("with a mark", both + "[", mark: [0xEF, 0xBB, 0xBF]),
            DeepDocument("UTF-16", both + "[", in: .utf16LittleEndian),
            DeepDocument("UTF-16, big-endian", both + "{", in: .utf16BigEndian),
            DeepDocument("UTF-16 with a mark", both + "[", in: .utf16LittleEndian, mark: [0xFF, 0xFE]),
            DeepDocument("UTF-16, big-endian, with a mark", both + "[", in: .utf16BigEndian, mark: [0xFE, 0xFF]),
            DeepDocument("UTF-32", both + "[", in: .utf32LittleEndian),
            DeepDocument("UTF-32, big-endian", both + "[", in: .utf32BigEndian),
            DeepDocument("other letters", #"["é€😀","# + String(repeating: "[", count: 512)),
            DeepDocument("UTF-16 within UTF-16", String(repeating: "[\0", count: 513), in: .utf16LittleEndian),
        ]
    }

    private static let json5: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return decoder
    }()

    /// A caller's function that does not know its parser.
    private static func generic(_ parser: some DataDecoding & Sendable) -> ResultDecoder<JSONOnlooker> {
        .decodable(using: parser)
    }

    /// Every kind of decoder for JSON.
    private static let decoders: [ResultDecoder<Void>] = [
        .json(JSONOnlooker.self).map { _ in }, .json(JSONOnlooker.self, at: "a.a").map { _ in },
        .json(JSONOnlooker.self, at: "0").map { _ in }, .jsonArray(of: JSONOnlooker.self).map { _ in },
        .jsonValues(of: JSONOnlooker.self).map { _ in }, .json(JSONOnlooker.self, using: json5).map { _ in },
        .jsonArray(of: JSONOnlooker.self, invalidElements: .skip { _, _ in }).map { _ in },
        .jsonValues(of: JSONOnlooker.self, at: "a", invalidElements: .skip { _, _ in }).map { _ in },
        .decodable(JSONOnlooker.self, using: JSONDecoder()).map { _ in },
        ResultDecoder<NetworkResponse<JSONOnlooker>>.response(.json()).map { _ in },
    ]

    @Test("A document whose last byte opens the 513th level is a decodingError", arguments: DeepDocument.all)
    func deepDocument(_ document: DeepDocument) {
        for decoder in Self.decoders + [Self.generic(JSONDecoder()).map { _ in }] {
            guard case .decodingError = decoder.decode(.success(document.data)).error else {
                Issue.record("It is no decodingError.")
                continue
            }
        }
        let largeParts = SharedJSONDecoder.inParts
        #expect(throws: DecodingError.self) { try largeParts.array(of: JSONOnlooker.self, in: document.data) }
        #expect(throws: DecodingError.self) { try largeParts.values(of: JSONOnlooker.self, in: document.data) }
    }

    @Test("The error is the one that JSONDecoder has for a document that goes on")
    func deepError() throws {
        let document = Data(String(repeating: "[", count: 513).utf8)
        let error = ResultDecoder.json(JSONOnlooker.self).decode(.success(document)).error
        let expected = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONOnlooker.self, from: document + document)
        }
        #expect("\(try #require(error?.underlyingError))" == "\(try #require(expected))")
    }

    @Test("A server that sends one is a decodingError with the response", arguments: DecoderForm.all)
    func deepResponse(_ form: DecoderForm) async throws {
        for document in [DeepDocument.arrays, .objects] {
            let server = try LoopbackServer(.ok(document.data))
            let error = try #require(await form(server.url()).error)
            guard case .decodingError(_, let response) = error else { throw error }
            #expect(response?.body == document.data)
        }
    }

    @Test("So is a line of a stream, and the stream goes on", arguments: [1, 16, 100])
    func deepLine(count: Int) async throws {
        let line = String(repeating: "[", count: 513)
        let server = try LoopbackServer(.ok("1\n\(line)\n2\n"))
        let session = URLSession(configuration: .forTests)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    let body = try await session.bytesResult(from: server.url()).get().body
                    var values = body.values(.json(Int.self)).makeAsyncIterator()
                    #expect(try await values.next() == 1)
                    let error = await #expect(throws: NetworkError.self) { try await values.next() }
                    #expect(error?.response?.body == Data(line.utf8))
                    #expect(try await values.next() == 2)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("The body of an error response may be one, too")
    func deepErrorBody() async throws {
        let document = DeepDocument.arrays.data
        let server = try LoopbackServer(.status(500, document))
        let session = URLSession(configuration: .forTests)
        let response = try #require(await session.dataResult(from: server.url()).error?.response)
        guard case .decodingError = response.decode(with: .json(JSONOnlooker.self)).error else {
            Issue.record("It is no decodingError.")
            return
        }
    }

    @Test("512 levels are decoded", arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func allowedDepth(encoding: String.Encoding) throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        _ = try ResultDecoder.json(JSONOnlooker.self).decode(try #require(text.data(using: encoding)))
    }

    @Test("A subclass of JSONDecoder is given the bytes as they came")
    func subclass() throws {
        final class Counter: JSONDecoder, @unchecked Sendable {
            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                try super.decode(type, from: Data("[\(data.count)]".utf8))
            }
        }
        let bytes = Data(repeating: UInt8(ascii: "["), count: 600)
        #expect(try ResultDecoder.json([Int].self, using: Counter()).decode(bytes) == [600])
    }

    // MARK: JSON5

    @Test(
        "A number of JSON5 that cannot be read is a decodingError",
        arguments: [
            "[1e-]", "[1e+]", "[-1.5E-]", "[.5e-,1]", "[1e- ]", "1e-", "[0x0x]", "[0x1e+5]", "[+0X1e-]",
            "[ /* ' */ 1e-]", "[// \"\n1e-]", "[// ]\r1e-]", #"["\u123\",1e-]"#, #"['"',1e-]"#, #"["'",1e-]"#,
            #"["\x1\",1e-]"#, #"["\\",1e-]"#, "[/**/1e-]", "[1/***/,1e-]", "[true,1e-]", "{a:1e-}", "{'a':1e-}",
            "\u{FEFF}1e-",
        ], [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func malformedNumber(text: String, encoding: String.Encoding) throws {
        let document = try #require(text.data(using: encoding))
        for decoder in [
            ResultDecoder.json([Double].self, using: Self.json5).map { _ in },
            ResultDecoder.json([Float].self, using: Self.json5).map { _ in },
            ResultDecoder.json([Int].self, using: Self.json5).map { _ in },
            ResultDecoder.json(Double.self, using: Self.json5).map { _ in },
            ResultDecoder.jsonArray(of: Double.self, invalidElements: .skip { _, _ in }, using: Self.json5).map { _ in
            },
            ResultDecoder.jsonValues(of: Double.self, using: Self.json5).map { _ in },
            ResultDecoder.json(Double.self, at: "a", using: Self.json5).map { _ in },
        ] {
            #expect(decoder.decode(.success(document)).error?.localizedDescription.contains("JSON") == true)
        }
    }

    @Test("In UTF-16, a character that has the byte of a quotation mark is none")
    func wideQuotationMark() throws {
        let document = try #require("{'\u{2227}':1e-}".data(using: .utf16LittleEndian))
        #expect(ResultDecoder.json([String: Double].self, using: Self.json5).decode(.success(document)).error != nil)
    }

    @Test("A byte that JSON5 takes for a blank hides no number")
    func noBreakSpace() {
        let document = Data("[".utf8) + [0xA0] + Data("1e-]".utf8)
        #expect(ResultDecoder.json([Double].self, using: Self.json5).decode(.success(document)).error != nil)
    }

    @Test("A byte that UTF-8 does not have is a decodingError in a name, and in a comment it is passed over")
    func otherBytes() throws {
        let decoder = ResultDecoder.json([String: Int].self, using: Self.json5)
        for byte: UInt8 in 0xF8...0xFF {
            for (start, end) in [("{", "]:1}"), ("{b", "é:1}"), ("{b", "\\:1}"), ("", "{b:1}"), ("{b:", "1}")] {
                #expect(decoder.decode(.success(Data(start.utf8) + [byte] + Data(end.utf8))).error != nil)
            }
            #expect(try decoder.decode(Data("{b:/*".utf8) + [byte] + Data("*/1}".utf8)) == ["b": 1])
        }
    }

    @Test("What looks like such a number elsewhere is read")
    func otherNumbers() throws {
        let numbers = "[1e-1,0x1F,/* 1e- */+1.5E+3,.5,5.,-Infinity,// 0x0x\n1]"
        #expect(
            try ResultDecoder.json([Double].self, using: Self.json5).decode(Data(numbers.utf8))
                == [0.1, 31, 1500, 0.5, 5, -.infinity, 1])
        let texts = #"{e:'1e-',x0x:"0x0x",'1e-':'\'1e-', é0xz: "\"1e-"}"#
        #expect(
            try ResultDecoder.json([String: String].self, using: Self.json5).decode(Data(texts.utf8))
                == ["e": "1e-", "x0x": "0x0x", "1e-": "'1e-", "é0xz": "\"1e-"])
    }

    // MARK: Property lists

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

    /// An array whose element is the array.
    private static let endlessList: Data = {
        let object: [UInt8] = [0xA1, 0]
        let table: [UInt8] = [8]
        let numbers: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 10],
        ]
        return Data(Array("bplist00".utf8) + object + table + numbers.joined())
    }()

    private static func genericList(_ parser: some DataDecoding & Sendable) -> ResultDecoder<Recursive> {
        .decodable(using: parser)
    }

    @Test(
        "A property list of more than 512 levels is a decodingError",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func deepPropertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        let decoder = ResultDecoder.decodable(Recursive.self, using: PropertyListDecoder())
        _ = try decoder.decode(deepList(500, format))
        for count in [600, 100_000] {
            let error = decoder.decode(.success(deepList(count, format))).error
            #expect(error?.localizedDescription.contains("property list") == true)
            #expect(Self.genericList(PropertyListDecoder()).decode(.success(deepList(count, format))).error != nil)
        }
    }

    @Test("A property list that contains itself is a decodingError")
    func endlessPropertyList() {
        let decoder = ResultDecoder.decodable(Recursive.self, using: PropertyListDecoder())
        #expect(decoder.decode(.success(Self.endlessList)).error != nil)
    }
}

extension UInt32 {
    /// The most significant byte first.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

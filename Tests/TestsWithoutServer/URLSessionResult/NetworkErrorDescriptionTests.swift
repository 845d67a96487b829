import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

/// What errors say, and what they keep to themselves.
struct NetworkErrorDescriptionTests {
    private let url = URL(string: "https://albums.test/") ?? URL(fileURLWithPath: "/")

    // MARK: Sentences

    private struct Shelf: Decodable {
        var albums: [Album]
    }

    private struct Album: Decodable {
        var year: Int
        var format: Format?
        var cover: URL?
        var data: Data?
    }

    private enum Format: String, Decodable {
        case vinyl
    }

    @Test(
        "A decoding error says where, what was expected and what was found",
        arguments: [
            (#"{"albums": [{"year": 1}, {"year": "secret"}]}"#, "albums[1].year: expected Int, found a string"),
            (#"{"albums": [{"year": {}}]}"#, "albums[0].year: expected Int, found an object"),
            (#"{"albums": [{"year": true}]}"#, "albums[0].year: expected Int, found a boolean"),
            (#"{"albums": {"secret": 1}}"#, "albums: expected an array, found an object"),
            (#"{"albums": [3]}"#, "albums[0]: expected an object, found a number"),
            (#"[]"#, "the body: expected an object, found an array"),
            (#"{"albums": [{"year": null}]}"#, "albums[0].year: expected Int, found null"),
            (#"{"albums": null}"#, "albums: expected an array, found null"),
            (#"{"albums": [{}]}"#, "albums[0].year: expected a value, found none"),
            (#"{}"#, "albums: expected a value, found none"),
            (
                #"{"albums": [{"year": 1, "format": "secret"}]}"#,
                "albums[0].format: expected a known Format, found something else"
            ),
            (#"{"albums": [{"year": 1, "data": "secret!"}]}"#, "albums[0].data: expected Base64, found something else"),
            (#"{"albums": [{"year": 1, "cover": ""}]}"#, "albums[0].cover: expected a URL, found something else"),
            (#"{"albums": secret}"#, "the body is not valid JSON (line 1, column 12)"),
            ("", "the body is not valid JSON, or a number in it does not fit"),
        ])
    func decodingErrors(json: String, finding: String) throws {
        let error = try #require(ResultDecoder.json(Shelf.self).decode(.success(Data(json.utf8))).error)
        #expect(error.description == "decodingError(\(finding))")
        #expect(error.localizedDescription == "The server's answer could not be read.")
    }

    @Test(
        "What was found is told from the messages of Foundation",
        arguments: [
            ("a string", "a string"), ("string/data", "a string"), ("bool", "a boolean"), ("number", "a number"),
            ("an integer", "a number"), ("null", "null"), ("an array", "an array"), ("a dictionary", "an object"),
            ("a date", "a date"), ("data", "data"), ("secret", "something else"),
        ])
    func foundValues(name: String, found: String) {
        let context = DecodingError.Context(
            codingPath: [], debugDescription: "Expected to decode Int but found \(name) instead.")
        let error = NetworkError.decodingError(DecodingError.typeMismatch(Int.self, context), response: nil)
        #expect(error.description == "decodingError(the body: expected Int, found \(found))")
    }

    @Test("Only the beginning of a message is searched, because the rest may quote a long body")
    func longMessage() {
        let message = String(repeating: "found ", count: 100_000) + "a string"
        let context = DecodingError.Context(codingPath: [], debugDescription: message)
        let error = NetworkError.decodingError(DecodingError.typeMismatch(Int.self, context), response: nil)
        #expect(error.description == "decodingError(the body: expected Int, found something else)")
    }

    @Test(
        "An error says that a body is empty, and that a page is not JSON",
        arguments: [
            ("<!DOCTYPE html><title>secret</title>", #"the body is not valid JSON (it starts with "<")"#),
            (" \r\n\t<html>", #"the body is not valid JSON (it starts with "<")"#),
            ("\u{FEFF}\n<?xml?>", #"the body is not valid JSON (it starts with "<")"#),
            ("", "the body is empty"), ("\u{FEFF}", "the body is empty"), (" \n\t", "the body is empty"),
            ("secret", "the body is not valid JSON (line 1, column 1)"),
            (#"{"year": 19"#, "the body is not valid JSON (it was cut off after byte 11)"),
            (#"{"artist": "secret"#, "the body is not valid JSON (it was cut off after byte 18)"),
            (#"{"year": 19]"#, "the body is not valid JSON (line 1, column 12)"),
            ("1.5", "the body: expected an object, found a number"),
            (#"{"year": "<"}"#, "year: expected Int, found a string"),
        ])
    func bodies(body: String, finding: String) async throws {
        let session = SessionStub(.response(body: Data(body.utf8))).session
        let error = await session.dataResult(from: url, decoder: .json(Album.self)).error
        #expect(error?.description == "decodingError(\(finding))")
        #expect(error?.localizedDescription == "The server's answer could not be read.")
    }

    @Test("A body that may have been cut off by the library is not called cut off", arguments: [-1, 0, 1])
    func longBodies(difference: Int) throws {
        let count = NetworkError.keptByteCount + difference
        let response = NetworkResponse(
            body: Data("[\"".utf8) + Data(repeating: UInt8(ascii: "a"), count: count - 2),
            urlResponse: URLResponse(
                url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        let error = response.decode(with: .json([String].self)).error
        let finding = difference == 0 ? ", or a number in it does not fit" : " (it was cut off after byte \(count))"
        #expect(error?.description == "decodingError(the body is not valid JSON\(finding))")
    }

    @Test("An empty body is named whatever was expected, except by an error of another kind")
    func emptyBodies() {
        func response(_ body: String) -> NetworkResponse<Data> {
            NetworkResponse(
                body: Data(body.utf8),
                urlResponse: URLResponse(
                    url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        }
        let image = ResultDecoder<Album>.binary { _ in nil }
        #expect(response("").decode(with: image).error?.description == "decodingError(the body is empty)")
        // White space may be an image.
        let finding = "the body: expected Album, found other bytes"
        #expect(response(" \n").decode(with: image).error?.description == "decodingError(\(finding))")
        let other = response("").decode(with: ResultDecoder<Album> { _ in throw CancellationError() }).error
        #expect(other?.description == "decodingError(CancellationError 1)")
    }

    @Test("A number that does not fit is an error about numbers in range", arguments: ["1.5", "1e40"])
    func numbers(json: String) {
        let error = ResultDecoder.json(Int.self).decode(.success(Data(json.utf8))).error
        #if canImport(FoundationNetworking)
        // JSONDecoder says the same of bytes that are not JSON.
        let finding = "the body: expected Int, found a number that does not fit"
        #else
        let finding = "the body: expected a number in range, found something else"
        #endif
        #expect(error?.description == "decodingError(\(finding))")
    }

    @Test(
        "Members are told from elements, and from nothing, whatever they are called",
        arguments: [
            (#"{"Index 3": {"a": "x"}}"#, "Index 3.a: expected Int, found a string"),
            (#"{"a": {"Index 3": "x"}}"#, "a.Index 3: expected Int, found a string"),
            (#"{"3": {"Index 3x": "x"}}"#, "3.Index 3x: expected Int, found a string"),
            (#"{"": {"": "x"}}"#, #"""."": expected Int, found a string"#),
        ])
    func namesOfMembers(json: String, finding: String) {
        let error = ResultDecoder.json([String: [String: Int]].self).decode(.success(Data(json.utf8))).error
        #expect(error?.description == "decodingError(\(finding))")
    }

    @Test("What is missing is not found, whatever it is called")
    func missingMember() {
        struct Tape: Decodable {
            enum CodingKeys: String, CodingKey {
                case side = "found a string at end"
            }
            var side: Int
        }
        let error = ResultDecoder.json(Tape.self).decode(.success(Data("{}".utf8))).error
        #expect(error?.description == "decodingError(found a string at end: expected a value, found none)")
    }

    @Test(
        "The value of an enumeration says nothing about what was expected or found",
        arguments: ["Base64", "UUID", "fit in", "property list", "No value", "lost and found a number"])
    func valuesOfEnumeration(value: String) {
        let json = #"{"albums": [{"year": 1, "format": "\#(value)"}]}"#
        let error = ResultDecoder.json(Shelf.self).decode(.success(Data(json.utf8))).error
        let finding = "albums[0].format: expected a known Format, found something else"
        #expect(error?.description == "decodingError(\(finding))")
    }

    @Test("The end of an array is not null")
    func endOfArray() throws {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                _ = try values.decode(Int.self)
                _ = try values.decode(Int.self)
            }
        }
        let error = try #require(ResultDecoder.json(Pair.self).decode(.success(Data("[1]".utf8))).error)
        #expect("\(error)" == "decodingError([1]: expected Int, found the end of the array)")
    }

    @Test(
        "What a path leads to is told like the rest",
        arguments: [
            ("items.7", "items[7]: expected Int, found the end of the array"),
            ("items.0.id", "items[0]: expected an object, found a number"),
            (".items", #""": expected a value, found none"#),
        ])
    func envelopes(path: String, finding: String) throws {
        let error = ResultDecoder.json(Int.self, at: path).decode(.success(Data(#"{"items": [1]}"#.utf8))).error
        #expect(error?.description == "decodingError(\(finding))")
    }

    @Test("A nested cause is told as well")
    func nestedCause() {
        let cause = DecodingError.keyNotFound(Key("id"), .init(codingPath: [], debugDescription: "secret"))
        let context = DecodingError.Context(
            codingPath: [Key("payload")], debugDescription: "secret", underlyingError: cause)
        let error = NetworkError.decodingError(DecodingError.dataCorrupted(context), response: nil)
        #expect(
            "\(error)" == "decodingError(payload: expected a valid value, found something else "
                + "(id: expected a value, found none))")
    }

    @Test("Messages of models are not repeated, for they quote values")
    func messagesOfModels() {
        for message in ["secret", "Cannot initialize", "Cannot initialize secret", "found secret", "Expected secret"] {
            let context = DecodingError.Context(codingPath: [], debugDescription: message)
            let error = NetworkError.decodingError(DecodingError.dataCorrupted(context), response: nil)
            #expect("\(error)" == "decodingError(the body: expected a valid value, found something else)")
        }
    }

    @Test(
        "Messages that look like Foundation's are not repeated either",
        arguments: [
            ("Expected secret but found other bytes.", "expected a valid value, found other bytes"),
            (
                "Cannot initialize secret from invalid String value secret",
                "expected a known value, found something else"
            ),
        ])
    func messagesInDisguise(message: String, finding: String) {
        let context = DecodingError.Context(codingPath: [], debugDescription: message)
        let error = NetworkError.decodingError(DecodingError.dataCorrupted(context), response: nil)
        #expect(error.description == "decodingError(the body: \(finding))")
    }

    @Test("A property list tells as much as JSON")
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    func propertyList() throws {
        let body = try PropertyListEncoder().encode(["year": "secret"])
        let error = ResultDecoder.propertyList(Album.self).decode(.success(body)).error
        #expect(error?.description == "decodingError(year: expected Int, found a string)")
        let none = ResultDecoder.propertyList(Album.self).decode(
            .success(Data("<plist>".utf8))
        )
        .error
        #expect(none?.description == "decodingError(the body: expected a property list, found something else)")
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let large = try encoder.encode(["year": 300])
        let number = ResultDecoder.propertyList([String: Int8].self).decode(.success(large))
        #expect(
            number.error?.description == "decodingError(year: expected a number in range, found something else)")
    }

    @Test("A refusal by binary or string names the type")
    func refusals() {
        let image = ResultDecoder<Album>.binary { _ in nil }.decode(.success(Data())).error
        #expect(image?.description == "decodingError(the body: expected Album, found other bytes)")
        let text = ResultDecoder.string().decode(.success(Data([0xFF]))).error
        #expect(text?.description == "decodingError(the body: expected String, found other bytes)")
    }

    @Test("An encoding error says where and of which type, without the value")
    func encodingError() throws {
        var request = URLRequest(url: try #require(URL(string: "http://localhost")))
        let error = #expect(throws: NetworkError.self) { try request.setJSONBody(["price": Double.infinity]) }
        #expect(error?.description == "encodingError(price: cannot encode this Double)")
        #expect(error?.localizedDescription == "The request could not be written.")
    }

    private static let sentencesAboutTLS: [(URLError.Code, String)] = [
        (
            .serverCertificateHasBadDate,
            "The certificate of the server example.com:81 is not valid now. Check the date and the time of this device."
        ),
        (
            .serverCertificateNotYetValid,
            "The certificate of the server example.com:81 is not valid yet. Check the date and the time of this device."
        ),
        (
            .serverCertificateUntrusted,
            "The certificate of the server example.com:81 is not trusted. Try again in another network."
        ),
        (
            .serverCertificateHasUnknownRoot,
            "The certificate of the server example.com:81 is from an unknown authority. Try again in another network."
        ),
        (.clientCertificateRejected, "The server example.com:81 does not accept the certificate of this device."),
        (.clientCertificateRequired, "The server example.com:81 asks for a certificate of this device."),
        (.secureConnectionFailed, "There is no secure connection to the server example.com:81. Try again later."),
    ]

    @Test(
        "A transport error says what a person can do",
        arguments: [
            (.cancelled, "The request was cancelled."),
            (
                .notConnectedToInternet,
                "There is no connection to the internet. Check the network settings and try again."
            ),
            (.cannotFindHost, "The server example.com:81 could not be found. Check the address and the network."),
            (
                .cannotConnectToHost,
                "The server example.com:81 could not be reached. Try again later."
            ),
            (.networkConnectionLost, "The connection to the server was lost. Try again."),
            (.timedOut, "The server did not answer in time. Try again later."),
            (.unsupportedURL, "The address cannot be requested. Check that it is spelled correctly."),
            (.badURL, "The address cannot be requested. Check that it is spelled correctly."),
            (.dataLengthExceedsMaximum, "The request or the server's answer is too large."),
            (.userAuthenticationRequired, "The server asks you to sign in."),
            (.badServerResponse, "The server's answer could not be read."),
            (.cannotParseResponse, "The server's answer could not be read."),
            (.httpTooManyRedirects, "The server gave an unexpected answer."),
            (.unknown, "The request failed."),
        ] + sentencesAboutTLS)
    func transportErrors(code: URLError.Code, sentence: String) throws {
        let url = try #require(URL(string: "http://user:secret@example.com:81/secret?secret=1#secret"))
        let error = NetworkError.transportError(URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: url]))
        #expect(error.localizedDescription == sentence)
        #expect(error.description == "transportError(URLError \(code.rawValue))")
    }

    @Test("A second reader of a body is told that it can be read once")
    func secondReader() async throws {
        let stub = SessionStub(.text("abc"))
        let body = try await stub.session.bytesResult(from: url).get().body
        _ = try await body.collect(upTo: 10)
        let error = await #expect(throws: NetworkError.self) { try await body.collect(upTo: 10) }
        let sentence = "The body of the response is being read, or has been read, elsewhere. It can be read once."
        #expect(error?.localizedDescription == sentence)
        #expect(stub.requests.count == 1)
    }

    @Test("A file that is at fault is named")
    func files() async throws {
        let folder = TemporaryFolder()
        let session = SessionStub(.response()).session
        let missing = await session.uploadResult(for: URLRequest(url: url), fromFile: folder.file("cover.png"))
        #expect(missing.error?.localizedDescription == "The file cover.png does not exist.")
        #expect(
            missing.error?.description == "transportError(CocoaError 260, cover.png: No such file or directory)")
        let blocked = await session.downloadResult(from: url, to: folder.url).error
        let name = folder.url.lastPathComponent
        #expect(blocked?.localizedDescription == "The file \(name) could not be saved.")
        #expect(blocked?.description.hasSuffix(", \(name): Is a directory)") == true)
    }

    @Test("The message of an error about a file is not repeated, for it may quote what it likes")
    func quotingFileError() {
        let file = URL(fileURLWithPath: "/secret/cover.png")
        let details: [String: Any] = [NSLocalizedDescriptionKey: "secret", NSURLErrorKey: file]
        let error = NetworkError.transportError(CocoaError(.fileReadUnknown, userInfo: details))
        #expect(error.localizedDescription == "The file cover.png could not be read.")
        #expect(error.description == "transportError(CocoaError 256, cover.png)")
    }

    @Test("A file is named by its path as well, and what is no file not at all")
    func pathsOfFiles() throws {
        let path = CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "/secret/cover.png"])
        let named = NetworkError.transportError(path).localizedDescription
        #expect(named == "The file cover.png does not exist.")
        let url = try #require(URL(string: "data:,secret"))
        let noFile = NetworkError.transportError(CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url]))
        #expect(noFile.localizedDescription == "The request failed.")
        #expect(noFile.description == "transportError(CocoaError 256)")
    }

    @Test(
        "What cannot be done with a file is said by its code",
        arguments: [
            (.fileLocking, "is in use"), (.fileWriteFileExists, "exists already"),
            (.fileReadNoPermission, "could not be read, because permission is missing"),
            (.fileWriteNoPermission, "could not be saved, because permission is missing"),
            (.fileWriteVolumeReadOnly, "could not be saved, because permission is missing"),
            (.fileWriteOutOfSpace, "could not be saved, because there is no space left"),
            (.fileWriteUnknown, "could not be saved"), (.fileReadTooLarge, "could not be read"),
            (.featureUnsupported, "could not be used"),
        ] as [(CocoaError.Code, String)])
    func problemsOfFiles(code: CocoaError.Code, problem: String) {
        let file = URL(fileURLWithPath: "/secret/cover.png")
        let error = NetworkError.transportError(CocoaError(code, userInfo: [NSURLErrorKey: file]))
        #expect(error.localizedDescription == "The file cover.png \(problem).")
    }

    @Test("A server error says the status code and what it is called")
    func serverError() async throws {
        let error = await SessionStub(.response(statusCode: 404)).session.dataResult(from: url).error
        #expect(error?.localizedDescription == "The server answered with status 404 (not found).")
        #expect(NetworkError.noData.localizedDescription == "The server gave no answer.")
    }

    @Test("A status code has the name of its registration, or none if it is not common")
    func statusCodes() throws {
        let url = try #require(URL(string: "http://host"))
        let names = Dictionary(
            uniqueKeysWithValues: Self.namesOfStatusCodes.split(separator: "\n").map { line in
                (Int(line.prefix(3)), line.dropFirst(4))
            })
        for code in 100..<600 {
            let response = HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil)
            let error = NetworkError(data: Data(), response: response, error: nil, accepting: [])
            let name = names[code].map { " (\($0))" } ?? ""
            #expect(error?.localizedDescription == "The server answered with status \(code)\(name).")
            #expect(error?.description == "serverError(statusCode: \(code))")
        }
    }

    /// https://www.iana.org/assignments/http-status-codes
    private static let namesOfStatusCodes = """
        101 switching protocols
        200 OK
        201 created
        202 accepted
        204 no content
        205 reset content
        206 partial content
        300 multiple choices
        301 moved permanently
        302 found
        303 see other
        304 not modified
        307 temporary redirect
        308 permanent redirect
        400 bad request
        401 unauthorized
        402 payment required
        403 forbidden
        404 not found
        405 method not allowed
        406 not acceptable
        407 proxy authentication required
        408 request timeout
        409 conflict
        410 gone
        411 length required
        412 precondition failed
        413 content too large
        414 URI too long
        415 unsupported media type
        416 range not satisfiable
        421 misdirected request
        422 unprocessable content
        423 locked
        425 too early
        426 upgrade required
        428 precondition required
        429 too many requests
        431 request header fields too large
        451 unavailable for legal reasons
        500 internal server error
        501 not implemented
        502 bad gateway
        503 service unavailable
        504 gateway timeout
        507 insufficient storage
        511 network authentication required
        """

    @Test("Each code of TLS has a sentence of its own, and its neighbours have none")
    func codesOfTLS() {
        func sentence(_ code: Int) -> String {
            NetworkError.transportError(NSError(domain: NSURLErrorDomain, code: code)).localizedDescription
        }
        #expect(Set((-1206 ... -1200).map(sentence)).count == 7)
        for code in [-1207, -1199] { #expect(sentence(code) == "The request failed.") }
        for code in -1206 ... -1200 { #expect(sentence(code) != "The request failed.") }
    }

    @Test("A date and a UUID are named as what was expected")
    func formats() {
        // JSONDecoder leaves out where an ISO date stands.
        func says<Value: Decodable & SendableMetatype>(
            _ noun: String, of type: Value.Type, _ configure: (JSONDecoder) -> Void = { _ in }
        ) -> Bool {
            let decoder = JSONDecoder()
            configure(decoder)
            let error = ResultDecoder.json([Value].self, using: decoder).decode(.success(Data(#"["x"]"#.utf8))).error
            return error?.description.hasSuffix(": expected \(noun), found something else)") == true
        }
        #expect(says("a date", of: Date.self) { $0.dateDecodingStrategy = .iso8601 })
        #expect(says("a date", of: Date.self) { $0.dateDecodingStrategy = .formatted(DateFormatter()) })
        #expect(says("a UUID", of: UUID.self))
    }

    @Test("An error of another kind is named, and not quoted", arguments: [0, 1, 2, 3])
    func otherErrors(kind: Int) {
        struct Quoting: LocalizedError {
            var errorDescription: String? { "secret" }
        }
        struct Bridged: CustomNSError {
            static var errorDomain: String { NSCocoaErrorDomain }
            var errorCode: Int { 4 }
            var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: "secret"] }
        }
        let underlying: [any Error] = [
            Quoting(), NSError(domain: "Domain", code: 7, userInfo: [NSLocalizedDescriptionKey: "secret"]),
            CancellationError(), Bridged(),
        ]
        let name = ["Quoting 1", "Domain 7", "CancellationError 1", "Bridged 4"][kind]
        #expect("\(NetworkError.transportError(underlying[kind]))" == "transportError(\(name))")
        let isCancellation = underlying[kind] is CancellationError
        #expect(
            NetworkError.transportError(underlying[kind]).localizedDescription
                == (isCancellation ? "The request was cancelled." : "The request failed."))
        #expect("\(NetworkError.decodingError(underlying[kind], response: nil))" == "decodingError(\(name))")
        #expect("\(NetworkError.encodingError(underlying[kind]))" == "encodingError(\(name))")
    }

    @Test("A member is named, also when its key has a number of its own")
    func numberedKey() {
        struct Album: Decodable {
            enum CodingKeys: Int, CodingKey {
                case year = 1
            }
            var year: Int
        }
        let result = ResultDecoder.json(Album.self).decode(.success(Data(#"{"year": "x"}"#.utf8)))
        #expect(result.error.map { "\($0)" } == "decodingError(year: expected Int, found a string)")
    }

    // MARK: Secrets

    @Test("Nothing confidential is printed, also inside a Result, an optional or an array")
    func secrets() async throws {
        let stub = SessionStub(.json(#"{"error": "secret"}"#, statusCode: 403, headers: ["X-Request-Id": "secret"]))
        let secretURL = try #require(URL(string: "https://albums.test/?token=secret"))
        let server403 = await stub.session.dataResult(from: secretURL)
        let refused = try #require(URL(string: "http://user:secret@127.0.0.1:1/secret?secret"))
        let transport = await URLSession(configuration: .forTests).dataResult(from: refused)
        let decoding = ResultDecoder.json(Int.self).decode(.success(Data(#""secret""#.utf8))).map { _ in Data() }
        let noFile = try #require(URL(string: "http://example.com/secret?secret"))
        let upload = await URLSession(configuration: .forTests).uploadResult(
            for: URLRequest(url: refused), fromFile: noFile)
        let download = await SessionStub(.response()).session.downloadResult(from: url, to: noFile)
        for result in [server403, transport, decoding, upload, download.map { _ in Data() }] {
            let error = try #require(result.error)
            let texts = [
                "\(error)", String(reflecting: error), "\(result)", String(reflecting: result),
                error.debugDescription, String(describing: Optional(error)), "\([error])", error.localizedDescription,
                "\(error as NSError)", String(reflecting: error as NSError), "\((error as NSError).userInfo)",
                (error as NSError).localizedDescription, dumped(error), dumped(result), dumped([error]),
                dumped(Optional(error) as Any), dumped(error as NSError), "\(error.response.map { "\($0)" } ?? "")",
            ]
            for text in texts { #expect(!text.contains("secret"), "\(text)") }
        }
    }

    @Test(
        "No server writes lines into a log",
        arguments: [
            ("a\n2031-01-01 INFO done", #"a\n2031-01-01 INFO done"#), ("a\r\u{1B}[2Kb", #"a\r\u{1B}[2Kb"#),
            ("a\u{2028}b", #"a\u{2028}b"#), ("a\u{202E}b", #"a\u{202E}b"#), ("Größe", "Größe"),
            (String(repeating: "a", count: 90), String(repeating: "a", count: 80) + "…"),
            (String(repeating: "a", count: 80), String(repeating: "a", count: 80)),
            // A letter with accents, which is one `Character`.
            ("a" + String(repeating: "\u{301}", count: 90), "a" + String(repeating: "\u{301}", count: 79) + "…"),
        ])
    func hostileNames(name: String, shown: String) throws {
        let body = try JSONEncoder().encode([name: "x"])
        let error = try #require(ResultDecoder.json([String: Int].self).decode(.success(body)).error)
        #expect(error.description == "decodingError(\(shown): expected Int, found a string)")
    }

    @Test(
        "Nor does a host, whose escapes a URL decodes",
        arguments: [
            ("a%0Ab.invalid", #"a\nb.invalid"#), ("a%1B%5Bb.invalid", #"a\u{1B}[b.invalid"#),
            ("a%7Fb.invalid", #"a\u{7F}b.invalid"#),
        ])
    func hostileHost(host: String, shown: String) throws {
        let url = try #require(URL(string: "http://\(host)/"))
        let error = NetworkError.transportError(
            URLError(.cannotFindHost, userInfo: [NSURLErrorFailingURLErrorKey: url]))
        #expect(error.localizedDescription.hasPrefix("The server \(shown) could not be found."))
    }

    // MARK: Bridging

    @Test(
        "The code of a transport error is that of its URLError, if it has one",
        arguments: [
            (URLError(.cancelled), NSURLErrorCancelled), (URLError(.timedOut), URLError.timedOut.rawValue),
            (NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled), NSURLErrorCancelled),
            (CancellationError(), NSURLErrorCancelled), (POSIXError(.ECONNABORTED), 1),
            (NSError(domain: "Other", code: NSURLErrorCancelled), 1),
        ] as [(any Error, Int)])
    func transportCode(cause: any Error, code: Int) {
        let error: any Error = NetworkError.transportError(cause)
        #expect((error as NSError).code == code)
        #expect((error as NSError).domain == NetworkError.errorDomain)
        #expect(NetworkError.transportError(cause).isCancelled == (code == NSURLErrorCancelled))
    }

    @Test("The domain and the codes are stable, and domain and code of the cause are kept")
    func bridging() throws {
        let cause = URLError(.timedOut)
        let errors: [NetworkError] = [
            .transportError(cause), .noData, .decodingError(cause, response: nil), .encodingError(cause),
        ]
        #expect(errors.map { ($0 as NSError).code } == [URLError.timedOut.rawValue, 3, 4, 5])
        #expect(errors.allSatisfy { ($0 as NSError).domain == "URLSessionResult.NetworkError" })
        for index in [0, 2, 3] {
            let underlying = (errors[index] as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(underlying?.domain == NSURLErrorDomain)
            #expect(underlying?.code == URLError.timedOut.rawValue)
            #expect(errors[index].underlyingError as? URLError == cause)
        }
        #expect((errors[1] as NSError).userInfo[NSUnderlyingErrorKey] == nil)
        let response = NetworkResponse(
            body: Data(),
            urlResponse: URLResponse(
                url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        #expect((NetworkError.serverError(statusCode: 500, response: response) as NSError).code == 2)
    }
}

private func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
}

private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

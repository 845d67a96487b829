import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

/// Decoding responses.
struct DecodingResponses {
    private let session: URLSession
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://albums.test/"))
        session = SessionStub(.json(albumsJSON, headers: ["ETag": "7"])).session
    }

    @Test("A path leads through an envelope")
    func envelope() throws {
        // snippet.envelope
        let items = ResultDecoder.json([Album].self, at: "data.items")
        let firstItem = ResultDecoder.json(Album.self, at: "data.items.0")
        // snippet.end
        let body = #"{"data": {"items": [{"artist": "Joni Mitchell", "name": "Hejira", "year": 1976}]}}"#
        #expect(try items.decode(body).get() == [firstItem.decode(body).get()])
    }

    @Test("A response has the value and the headers")
    func response() async {
        var printed: [String] = []
        func print(_ count: Int, _ tag: String) { printed.append("\(count) \(tag)") }

        // snippet.response
        let answer = await session.dataResult(
            from: url, decoder: .response(.json([Album].self)))

        if case .success(let response) = answer {
            print(response.body.count, response.header("ETag") ?? "no tag")
        }
        // snippet.end
        #expect(printed == ["2 7"])
    }

    @Test("Invalid elements are left out and reported")
    func invalidElements() throws {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        // snippet.skip
        let readable = ResultDecoder.jsonArray(
            of: Album.self,
            invalidElements: .skip { index, error in
                print("Album \(index) is left out: \(error)")
            })
        // snippet.end
        let body = #"[{"artist": "A", "name": "N", "year": 1976}, {"artist": "B", "name": "N", "year": "?"}]"#
        #expect(try readable.decode(body).get().count == 1)
        #expect(log.texts == ["Album 1 is left out: decodingError([1].year: expected Int, found a string)"])
    }

    @Test("The values of an object come in the order of the document")
    func values() throws {
        // snippet.values
        let inOrder = ResultDecoder.jsonValues(of: Album.self)
        let withKeys = ResultDecoder.jsonMembers(of: Album.self)
        // snippet.end
        let body = #"{"z": {"artist": "A", "name": "N", "year": 2}, "a": {"artist": "A", "name": "N", "year": 1}}"#
        #expect(try inOrder.decode(body).get().map(\.year) == [2, 1])
        #expect(try withKeys.decode(body).get().map(\.value.year) == [2, 1])
    }

    @Test("Text, images and property lists have decoders")
    func otherFormats() throws {
        // snippet.closure
        let lines = ResultDecoder.string().map { text in
            text.split(separator: "\n")
        }
        // snippet.end
        #expect(try lines.decode("a\nb").get() == ["a", "b"])

        // snippet.binary
        nonisolated struct PNG {
            let bytes: Data

            init?(data: Data) {
                guard data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
                    return nil
                }
                bytes = data
            }
        }

        let image = ResultDecoder.binary(PNG.init(data:))
        // snippet.end
        #expect(throws: NetworkError.self) { try image.decode("GIF").get() }

        // snippet.property-list
        let settings = ResultDecoder.propertyList([String: String].self)
        // snippet.end
        let body = try PropertyListEncoder().encode(["theme": "dark"])
        #expect(try settings.decode(.success(body)).get() == ["theme": "dark"])
    }

    @Test("Bytes can be decoded later")
    func later() async throws {
        // snippet.decode-later
        let body = await session.dataResult(from: url)
        let albums = body.decode(with: .json([Album].self))
        // snippet.end
        #expect(try albums.get().count == 2)
    }
}

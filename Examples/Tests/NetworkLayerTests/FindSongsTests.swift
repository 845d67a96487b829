import Foundation
import Testing

@testable import find_songs

@Suite("The search of find-songs")
struct FindSongsTests {
    @Test(
        "A term is percent-encoded",
        arguments: [("zeca pagodinho", "zeca%20pagodinho"), ("AC/DC&x=1", "AC/DC%26x%3D1"), ("a+b", "a%2Bb")])
    func percentEncoding(term: String, encoded: String) throws {
        let root = try #require(URL(string: "https://itunes.apple.com"))
        #expect(
            searchURL(for: term, at: root).absoluteString
                == "https://itunes.apple.com/search?media=music&entity=song&term=\(encoded)")
    }
}

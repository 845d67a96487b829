import Foundation
import Testing
import URLSessionResult

// snippet.form
nonisolated extension URLRequest {
    /// A POST of a form, as a browser sends it
    /// (`application/x-www-form-urlencoded`, WHATWG URL, section 5).
    init(url: URL, form fields: [(name: String, value: String)]) {
        self.init(url: url, method: .post)
        setValue(
            "application/x-www-form-urlencoded",
            forHTTPHeaderField: "Content-Type")
        let pairs = fields.map { field in
            "\(field.name.escapedForForm)=\(field.value.escapedForForm)"
        }
        httpBody = Data(pairs.joined(separator: "&").utf8)
    }
}

nonisolated extension String {
    /// The text with a plus sign for each space, and `%…` for what is
    /// neither a letter of ASCII, nor a digit, nor one of `*-._`. The
    /// end of a line is always CRLF.
    fileprivate var escapedForForm: String {
        let lines = replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: "\r", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        return lines.joined(separator: "\r\n").utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "*"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            case UInt8(ascii: " "):
                "+"
            default:
                String(format: "%%%02X", byte)
            }
        }.joined()
    }
}
// snippet.end

@Suite("Recipe: a form", .inTurn)
struct FormRecipe {
    private let session = URLSession(configuration: .forTests)

    @Test("A form is a POST, its fields are in order, and names may come twice")
    func form() async throws {
        let server = try LoopbackServer(.ok("done"))
        let url = server.url()
        // snippet.use-form
        let form = URLRequest(
            url: url,
            form: [
                ("artist", "Elis & Tom"), ("tag", "mpb"), ("tag", "1974"),
            ])
        let reply = await session.dataResult(for: form)
        // snippet.end
        #expect(reply.error == nil)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(String(decoding: request.body, as: UTF8.self) == "artist=Elis+%26+Tom&tag=mpb&tag=1974")
    }

    @Test(
        "What has a meaning in a form is escaped",
        arguments: [
            ("a b", "a+b"), ("a+b", "a%2Bb"), ("a&b=c", "a%26b%3Dc"), ("100 %", "100+%25"), ("*-._", "*-._"),
            ("~", "%7E"),
            ("é", "%C3%A9"), ("x\r\ny\nz\r", "x%0D%0Ay%0D%0Az%0D%0A"), ("", ""),
        ])
    func escapes(_ text: String, escaped: String) throws {
        let request = URLRequest(url: try #require(URL(string: "https://albums.test/")), form: [(text, text)])
        #expect(request.httpBody == Data("\(escaped)=\(escaped)".utf8))
    }
}

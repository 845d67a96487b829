import Foundation
import TestSupport
import Testing

@Suite("Files on the server", .serialized)
struct FilesTests {
    private let photograph = "GET /files/photograph.png?interval=0"

    @Test("A response breaks off, and the rest comes by its range")
    func rest() async throws {
        try await withExampleServer { [photograph] root async throws in
            await #expect(throws: URLError.self) { try await Answer(to: photograph, at: root) }
            let rest = try await Answer(to: photograph, at: root, headers: ["Range": "bytes=3687700-"])
            #expect(rest.status == 206 && rest.data.count == 8)
            #expect(rest.header("Content-Range") == "bytes 3687700-3687707/3687708")
        }
    }

    @Test("A file has a tag, without which a client would not ask for the rest", arguments: ["x.txt", "x%20y.txt"])
    func tag(name: String) async throws {
        try await withExampleServer { [upload] root async throws in
            try await upload(name.replacing("%20", with: " "), "content", root)
            let answer = try await Answer(to: "GET /files/\(name)", at: root)
            #expect(answer.text == "content" && answer.header("ETag") != nil)
        }
    }

    @Test("The list has the photograph and what was uploaded")
    func list() async throws {
        try await withExampleServer { [upload] root async throws in
            try await upload("x.txt", "content", root)
            let list = try await Answer(to: "GET /files", at: root).text
            #expect(list == #"[{"name":"photograph.png","size":3687708},{"name":"x.txt","size":7}]"#)
        }
    }

    @Test(
        "An upload that is no form, or with a name that leads elsewhere, is answered 400",
        arguments: [
            ("application/json", "{}"), ("multipart/form-data; boundary=b", ""),
            ("multipart/form-data; boundary=b", form(name: "../x", content: "c")),
            ("multipart/form-data; boundary=b", form(name: ".x", content: "c")),
        ])
    func malformedUpload(contentType: String, body: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(
                to: "POST /files", at: root, body: body, headers: ["Content-Type": contentType])
            #expect(answer.status == 400 && answer.text.hasPrefix(#"{"error":"#))
        }
    }

    @Test("A file that is not there is answered 404", arguments: ["nothing", "..%2Falbums.json"])
    func absent(name: String) async throws {
        try await withExampleServer { root async throws in
            #expect(try await Answer(to: "GET /files/\(name)", at: root).status == 404)
        }
    }

    private let upload = { @Sendable (name: String, content: String, root: URL) async throws in
        let headers = ["Content-Type": "multipart/form-data; boundary=b"]
        let body = form(name: name, content: content)
        #expect(try await Answer(to: "POST /files", at: root, body: body, headers: headers).status == 201)
    }
}

private func form(name: String, content: String) -> String {
    let modified = "--b\r\nContent-Disposition: form-data; name=\"modified\"\r\n\r\n1000000000\r\n"
    let file = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n\(content)\r\n"
    return modified + file + "--b--\r\n"
}

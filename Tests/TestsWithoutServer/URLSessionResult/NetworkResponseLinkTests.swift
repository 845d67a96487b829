import Foundation
import Testing
import URLSessionResult

struct NetworkResponseLinkTests {
    @Test("A link is resolved against the response")
    func link() throws {
        let response = try unavailable(["Link": #"</0>; rel="prev", <2?a,b>; title="x, y"; rel="next last""#])
        #expect(response.link("NEXT")?.absoluteString == "https://api.test/a/2?a,b")
        #expect(response.link("prev")?.absoluteString == "https://api.test/0")
        #expect(response.link("first") == nil)
        // RFC 8288, section 3.2: a link of another resource.
        let link = #"</1>; rel=next; anchor="/b", </2>; ANCHOR=/c; rel=next, </3>; rel=next"#
        let others = try unavailable(["Link": link])
        #expect(others.link("next")?.absoluteString == "https://api.test/3")
    }
}

import Foundation
import Testing

@testable import URLSessionResultClient

struct URLRequestFieldsTests {
    private let url = URL(fileURLWithPath: "/")

    /// The name and the reason of an `encodingError`.
    private func refusal(_ change: (inout URLRequest) throws -> Void) -> [String]? {
        var request = URLRequest(url: url)
        let error = #expect(throws: NetworkError.self) { try change(&request) }
        guard case .encodingError(EncodingError.invalidValue(let name, let context)) = error else { return nil }
        #expect(context.codingPath.map(\.stringValue) == [name as? String])
        return context.codingPath.map(\.stringValue) + [context.debugDescription]
    }

    @Test(
        "A field that would be two is not set",
        arguments: [("X", "1\r"), ("X", "\n1"), ("X", "\0"), ("X Y", "1"), ("", "1")])
    func setField(name: String, value: String) {
        let one = refusal { request in try request.setField(name, value) }
        let all = refusal { request in try request.setFields([name: value]) }
        #expect([one, all] == Array(repeating: [name, "This is no header field."], count: 2))
    }

    @Test("One that somebody has set is found before the request is sent")
    func checkedField() {
        let refusal = refusal { request in
            request.allHTTPHeaderFields = ["X Y": "1"]
            try request.check()
        }
        #expect(refusal == ["X Y", "This is no header field."])
    }

    @Test("So is a method that is none", arguments: ["A B", "GET /x\r\n"])
    func checkedMethod(method: String) {
        let refusal = refusal { request in
            request.httpMethod = method
            try request.check()
        }
        #expect(refusal == [method, "This is no method."])
    }

    @Test("A request that can be sent is left alone")
    func good() throws {
        var request = URLRequest(url: url)
        request.httpMethod = "PATCH"
        try request.setField("X-Y", "a b")
        try request.check()
        try request.checkHasNoBody()
        #expect(request.value(forHTTPHeaderField: "x-y") == "a b")
    }
}

import Foundation
import Testing

@testable import URLSessionResultJSON

struct JSONKeyedValueTests {
    @Test("The key is that of the member or the index of the element, and empty for a whole document")
    func key() throws {
        let decoder = JSONDecoder()
        let members = try decoder.decode([String: JSONKeyedValue<Int>].self, from: Data(#"{"Index 0": 1}"#.utf8))
        #expect(members.values.map(\.key) == ["Index 0"])
        let elements = try decoder.decode([JSONKeyedValue<Int>].self, from: Data("[1, 2]".utf8))
        #expect(elements.map(\.key) == ["0", "1"])
        let whole = try decoder.decode(JSONKeyedValue<Int>.self, from: Data("1".utf8))
        #expect(whole.key == "" && whole.value == 1)
    }
}

import Foundation
import Testing
import URLSessionResultClient

struct QueryItemsTests {
    @Test("The items of a dictionary are in the order of their names, every time")
    func sorted() {
        let names = (0..<50).map { "n\(100 - $0)" }
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, "v & \($0)") })
        let query = QueryItems(sortedByName: values)
        #expect(query.items.map(\.name) == names.sorted())
        #expect(query.items.allSatisfy { $0.value == "v & \($0.name)" })
        #expect(QueryItems(sortedByName: ["b": "1&2", "a": "ü"]).percentEncoded == "a=%C3%BC&b=1%262")
    }

    @Test("Any value of a query will do, and an array repeats its name")
    func values() {
        #expect(QueryItems(sortedByName: ["b": 2, "a": 1]).percentEncoded == "a=1&b=2")
        #expect(QueryItems(sortedByName: ["b": ["y", "x"], "a": []]).percentEncoded == "b=y&b=x")
        #expect(QueryItems(sortedByName: [String: Bool]()).items.isEmpty)
    }

    @Test("Items can be added behind them")
    func appended() {
        var query = QueryItems(sortedByName: ["b": "1", "a": "2"])
        query.append("0", 3)
        #expect(query.percentEncoded == "a=2&b=1&0=3")
    }
}

import Testing

@testable import Terminal

@Suite("Tables")
struct TableTests {
    @Test("Columns are as wide as their widest cell, numbers are aligned to the right")
    func alignment() {
        let table = Table(columns: "Name", "Count", rows: [["Björk", "7"], ["", "12345678"], ["A B", ""]])
        #expect(
            table.description == """
                Name      Count
                Björk         7
                       12345678
                A B
                """
        )
    }

    @Test("A table without rows is its head")
    func empty() {
        #expect(Table(columns: "Artist", "Songs", rows: []).description == "Artist  Songs")
    }
}

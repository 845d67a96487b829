/// Rows in aligned columns. Columns of numbers are aligned to the right.
package struct Table: CustomStringConvertible {
    private let rows: [[String]]

    package init(columns: String..., rows: [[String]]) {
        self.rows = [columns] + rows
    }

    package var description: String {
        let columns = rows[0].indices.map { column in Column(cells: rows.map { $0[column] }) }
        return rows.indices
            .map { row in columns.map { $0.aligned(row) }.joined(separator: "  ").trimmingTrailingSpaces() }
            .joined(separator: "\n")
    }
}

private struct Column {
    let cells: [String]
    let width: Int
    let isNumeric: Bool

    init(cells: [String]) {
        self.cells = cells
        width = cells.map(\.count).max() ?? 0
        isNumeric = cells.dropFirst().allSatisfy { $0.isEmpty || Double($0) != nil }
    }

    func aligned(_ row: Int) -> String {
        let padding = String(repeating: " ", count: width - cells[row].count)
        return isNumeric ? padding + cells[row] : cells[row] + padding
    }
}

extension String {
    fileprivate func trimmingTrailingSpaces() -> String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}

/// The name of a member or the index of an element, as `JSONDecoder` shows them in coding paths.
struct JSONKey: CodingKey {
    let stringValue: String
    private let index: Int?

    // Computed, because a key is made of every name, and few are asked.
    var intValue: Int? { index ?? Int(stringValue) }

    init(stringValue: String) {
        self.stringValue = stringValue
        index = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        index = intValue
    }
}

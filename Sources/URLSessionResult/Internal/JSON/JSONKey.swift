/// The name of a member or the index of an element, as `JSONDecoder` shows them in coding paths.
@usableFromInline
struct JSONKey: CodingKey {
    @usableFromInline let stringValue: String
    private let index: Int?

    // Computed, because a key is made of every name, and few are asked.
    @usableFromInline var intValue: Int? { index ?? Int(stringValue) }

    @usableFromInline
    init(stringValue: String) {
        self.stringValue = stringValue
        index = nil
    }

    @usableFromInline
    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        index = intValue
    }
}

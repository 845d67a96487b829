/// Finds two equal keys in an object that is decoded in parts.
///
/// `JSONDecoder` keeps the first of two members with equal keys. In two different parts it would keep both, so an object
/// with equal keys is decoded as a whole. Two keys are equal if they are equal as Swift strings, however they are written:
/// `é`, `\u00e9` and `e\u0301` are the same key.
struct JSONDuplicateKeys {
    private(set) var areFound = false
    private var seen: Set<String> = []

    mutating func look(in keys: [String]) {
        for key in keys where !seen.insert(key).inserted {
            areFound = true
        }
    }
}

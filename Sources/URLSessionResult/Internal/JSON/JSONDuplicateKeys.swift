/// Looks for two equal keys in an object of which each thread sees only a part.
///
/// `JSONDecoder` keeps the first of two members with equal keys. Decoded in two parts both would be kept, so an object
/// that has equal keys is left to `JSONDecoder` as a whole. Keys are equal if they are equal as strings of Swift, however
/// they are written: `é`, `\u00e9` and `e\u0301` are one key.
struct JSONDuplicateKeys {
    private(set) var areFound = false
    private var seen: Set<String> = []

    mutating func look(in keys: [String]) {
        for key in keys where !seen.insert(key).inserted {
            areFound = true
        }
    }
}

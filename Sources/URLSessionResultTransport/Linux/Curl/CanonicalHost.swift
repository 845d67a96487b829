#if canImport(FoundationNetworking)

import Foundation

/// A host, which is equal to itself in every way to write it: in upper case, in Unicode, with the dot of the root behind it, as a number,
/// or with fewer zeros. The zone of an address does not count.
enum CanonicalHost: Hashable, Sendable {
    case address([UInt8])
    case name(String)

    init(_ host: String) {
        var name = host.lowercased()
        // Foundation writes a name in Unicode as DNS takes it (Punycode).
        if !name.utf8.allSatisfy({ $0 < 0x80 }) { name = URL(string: "https://\(name)")?.host?.lowercased() ?? name }
        if name.hasSuffix(".") { name.removeLast() }
        let address = name.drop { $0 == "[" }.prefix { $0 != "%" && $0 != "]" }
        self = SystemCalls.bytes(ofAddress: String(address)).map { .address($0) } ?? .name(name)
    }
}

#endif

import Foundation

/// A version of libcurl, which `URLSession` on Linux loads from the system. Some refuse what others accept.
struct LibcurlVersion: Comparable, Sendable {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// - Parameter text: What libcurl says of itself, for example `libcurl/8.14.1 OpenSSL/3.0.19 zlib/1.2.13`.
    init?(_ text: String) {
        guard let version = text.split(separator: " ").first(where: { $0.hasPrefix("libcurl/") }) else { return nil }
        let numbers = version.dropFirst("libcurl/".count).split(separator: ".").map { Int($0) }
        guard numbers.count > 1, let major = numbers[0], let minor = numbers[1] else { return nil }
        self.init(major, minor)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// The version that is loaded. Nil where there is none, or none that can be asked.
    static let loaded: LibcurlVersion? = {
        typealias Function = @convention(c) () -> UnsafePointer<CChar>?
        guard let symbol = dlsym(nil, "curl_version") else { return nil }
        return unsafeBitCast(symbol, to: Function.self)().flatMap { LibcurlVersion(String(cString: $0)) }
    }()

    /// Whether the version that is loaded is this one, or a later one.
    var isLoaded: Bool { Self.loaded.map { self <= $0 } ?? false }
}

#if canImport(FoundationNetworking)

import Foundation

/// The first versions of Swift whose FoundationNetworking differs from the one before, on Linux.
///
/// Between them it is the same: its sources were compared from 6.2 to 6.4.
enum FoundationNetworkingVersion: Int, Comparable {
    case swift6_2, swift6_3_2, swift6_4

    /// A release that these tests have not seen, be it a patch release only. It may have fixed anything.
    case later

    private static let names = ["6.2": swift6_2, "6.3.2": swift6_3_2, "6.4": swift6_4, "later": later]

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The version of the library that is loaded: the one of the compiler, unless `FOUNDATION_NETWORKING_VERSION` names
    /// another one, whose library is loaded in its place.
    static let loaded =
        ProcessInfo.processInfo.environment["FOUNDATION_NETWORKING_VERSION"].flatMap { names[$0] } ?? ofCompiler

    #if compiler(>=6.4.1)
    private static let ofCompiler = later
    #elseif compiler(>=6.4)
    private static let ofCompiler = swift6_4
    #elseif compiler(>=6.3.4)
    private static let ofCompiler = later
    #elseif compiler(>=6.3.2)
    private static let ofCompiler = swift6_3_2
    #else
    private static let ofCompiler = swift6_2
    #endif
}

#endif

#if canImport(FoundationNetworking)

import Testing

@testable import URLSessionResultTransport

struct LibcurlDifferencesTests {
    /// What differs from the newest libcurl.
    struct Row: Sendable {
        let version: String
        var readsWhilePaused = false
        var forgetsUploads = false
        var endWhileSending = LibcurlDifferences.EndWhileSending.fails
        var defaultPortOfProxy = 1080
    }

    @Test(
        "What no option tells is known by the version",
        arguments: [
            Row(version: "7.76.1", forgetsUploads: true, endWhileSending: .endsTransfer),
            Row(version: "7.87.0", forgetsUploads: true, endWhileSending: .endsTransfer),
            Row(version: "7.88.0", endWhileSending: .waits),
            Row(version: "7.88.1-DEV", endWhileSending: .waits),
            Row(version: "8.0.1", endWhileSending: .waits),
            Row(version: "8.1.0", endWhileSending: .endsTransfer),
            Row(version: "8.2.1", endWhileSending: .endsTransfer),
            Row(version: "8.3.0", readsWhilePaused: true, endWhileSending: .failsAndMayCut),
            Row(version: "8.4.0", readsWhilePaused: true, endWhileSending: .failsAndMayCut),
            Row(version: "8.6.0", readsWhilePaused: true, endWhileSending: .failsAndMayCut),
            Row(version: "8.7.1", readsWhilePaused: true),
            Row(version: "8.8.0"),
            Row(version: "8.14.1"),
            Row(version: "8.20.0"),
            Row(version: "8.21.0", defaultPortOfProxy: 80),
            Row(version: "9.0.0", defaultPortOfProxy: 80),
        ])
    func version(_ row: Row) {
        let differences = LibcurlDifferences(version: row.version) { _ in true }
        #expect(differences.readsWhilePaused == row.readsWhilePaused)
        #expect(differences.forgetsUploads == row.forgetsUploads)
        #expect(differences.endWhileSending == row.endWhileSending)
        #expect(differences.defaultPortOfProxy == row.defaultPortOfProxy)
    }

    @Test(
        "Which requests a connection mixes is known by the version",
        arguments: [
            ("7.76.1", true, true), ("7.88.1", true, true), ("8.4.0", true, true), ("8.5.0", true, false),
            ("8.6.0", true, false), ("8.7.1", false, false), ("8.14.1", false, false), ("9.0.0", false, false),
        ])
    func mixed(_ row: (version: String, mixesDigestWithOthers: Bool, sharesHTTP1: Bool)) {
        let differences = LibcurlDifferences(version: row.version) { _ in true }
        #expect(differences.mixesDigestWithOthers == row.mixesDigestWithOthers)
        #expect(differences.sharesHTTP1 == row.sharesHTTP1)
    }

    @Test("What an option tells is not guessed from the version", arguments: ["7.76.1", "8.20.0"])
    func option(version: String) {
        #expect(LibcurlDifferences(version: version) { _ in true }.leavesLookUps)
        #expect(LibcurlDifferences(version: version) { _ in true }.asksBeforeRequest)
        #expect(!LibcurlDifferences(version: version) { $0 != .quickExit }.leavesLookUps)
        #expect(!LibcurlDifferences(version: version) { $0 != .prereqFunction }.asksBeforeRequest)
    }

    @Test("The libcurl of the process has what it says of itself")
    func loaded() throws {
        let curl = try #require(Curl.loaded)
        func isBefore(_ version: String) -> Bool {
            curl.version.compare(version, options: .numeric) == .orderedAscending
        }
        #expect(curl.differences.leavesLookUps == !isBefore("7.87"))
        #expect(curl.differences.asksBeforeRequest == !isBefore("7.80"))
    }
}

#endif

#if canImport(FoundationNetworking)

import Testing

@testable import TestSupport

/// Marks a test that says what `URLSession` does wrong, and the last version that was seen to do so.
///
/// Up to that version the test has to pass, so that it says what is true. On a later one, a failure of the test is good news,
/// and a known issue: see docs/Maintaining.md, "Retire a workaround".
struct Limit: TestTrait, SuiteTrait, TestScoping {
    let lastVersion: FoundationNetworkingVersion
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard FoundationNetworkingVersion.loaded > lastVersion else { return try await function() }
        await withKnownIssue("FoundationNetworking no longer does this.", isIntermittent: true) {
            try await function()
        }
    }
}

extension Trait where Self == Limit {
    static func limit(until lastVersion: FoundationNetworkingVersion) -> Self { Limit(lastVersion: lastVersion) }
}

#endif

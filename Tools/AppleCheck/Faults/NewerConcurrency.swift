func waitForASecond() async throws {
    try await Task.sleep(for: .seconds(1))  // fault
}

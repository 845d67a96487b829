extension Soak.Sample {
    /// What the process holds when its connections are closed, or when it has waited two minutes for that.
    static func atRest(after before: Self) async -> Self {
        for _ in 0..<120 {
            let sample = Self(requests: 0)
            if sample.isAtRest(after: before) { return sample }
            try? await Task.sleep(nanoseconds: 1_000_000_000)
        }
        return Self(requests: 0)
    }

    /// Whether there are about as many descriptors as before. The first request opens those of the event loop and of `URLSession`.
    func isAtRest(after before: Self) -> Bool { descriptors <= before.descriptors + 20 }
}

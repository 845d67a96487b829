import Benchmark
import Comparison
import Foundation
import URLSessionResult

let benchmarks: @Sendable () -> Void = {
    for kilobytes in [1, 4, 16, 64, 128, 256, 1_024, 4_096, 16_384] {
        compare(Row.self, in: .array, kilobytes: kilobytes, group: "size")
    }
    for container in Container.allCases {
        compare(Row.self, in: container, kilobytes: 4_096, group: "shape")
        compare(Album.self, in: container, kilobytes: 4_096, group: "shape")
        compare(Message.self, in: container, kilobytes: 4_096, group: "shape")
        compare(Sample.self, in: container, kilobytes: 4_096, group: "shape")
    }
    for count in [1, 4, 8, 16] {
        compareAtOnce(count)
    }
    for container in Container.allCases {
        measureMemory(in: container)
    }
}

private func compare<Element: Shape>(
    _ element: Element.Type, in container: Container, kilobytes: Int, group: String
) {
    Benchmark.compare(
        "\(group)/\(element.name)/\(container)/\(kilobytes)", DocumentDecoding<Element>.contenders(for: container),
        seconds: kilobytes > 4_096 ? 10 : 5, repetitions: max(1, 64 / kilobytes)
    ) {
        Document(of: container, size: kilobytes * 1_024)
    }
}

/// Decodes as many responses of 1.3 MB at once.
private func compareAtOnce(_ count: Int) {
    let decoder = DocumentDecoding<Album>.decoder(for: .array)
    Benchmark.compare(
        "at once/nested albums/array/\(count)",
        [
            Contender("JSONDecoder") { data in
                try await atOnce(count) { blackHole(try DocumentDecoding<Album>.whole(data, .array)) }
            },
            Contender("library") { data in
                try await atOnce(count) { blackHole(try decoder.decode(.success(data)).get()) }
            },
        ],
        seconds: 6
    ) {
        Document<Album>(of: .array, size: 1_300_000).data
    }
}

private func atOnce(_ count: Int, _ body: @escaping @Sendable () throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
            group.addTask { try body() }
        }
        try await group.waitForAll()
    }
}

/// Measures memory, for which each contender has a benchmark, and thus a process, of its own.
private func measureMemory(in container: Container) {
    for contender in DocumentDecoding<Album>.contenders(for: container) where contender.name != "ideal split" {
        for (times, rounds) in [("once", 1), ("again and again", 5)] {
            Benchmark.compare(
                "memory/\(Album.name)/\(container)/\(times)/\(contender.name)", [contender], by: .peakKilobytes,
                seconds: 10, rounds: rounds
            ) {
                Document(of: container, size: 16 << 20, partCount: 1)
            }
        }
    }
}

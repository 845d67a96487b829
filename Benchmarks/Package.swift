// swift-tools-version: 6.2

import PackageDescription

let benchmark = Target.Dependency.product(name: "Benchmark", package: "benchmark")
let urlSessionResult = Target.Dependency.product(name: "URLSessionResult", package: "URLSessionResult")
let client = Target.Dependency.product(name: "URLSessionResultClient", package: "URLSessionResult")
let plugin = Target.PluginUsage.plugin(name: "BenchmarkPlugin", package: "benchmark")

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "URLSessionResult", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .executableTarget(
            name: "Requests",
            dependencies: [
                "Comparison", benchmark, urlSessionResult,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            path: "Benchmarks/Requests",
            plugins: [plugin]
        ),
        .executableTarget(
            name: "Decoding",
            dependencies: ["Comparison", benchmark, urlSessionResult],
            path: "Benchmarks/Decoding",
            plugins: [plugin]
        ),
        .target(name: "Comparison", dependencies: [benchmark]),
        .executableTarget(name: "RequestOverhead", dependencies: [client]),
        .executableTarget(name: "Elements", dependencies: ["Usage", urlSessionResult]),
        .executableTarget(name: "Memory", dependencies: ["Usage", urlSessionResult]),
        .executableTarget(name: "Waiting", dependencies: ["Usage", urlSessionResult]),
        .target(name: "Usage"),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let modules: [Target.Dependency] = [
    "URLSessionResult", "URLSessionResultClient", "URLSessionResultJSON", "URLSessionResultTesting",
    "URLSessionResultTransport",
]

let package = Package(
    name: "URLSessionResult",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "URLSessionResult", targets: ["URLSessionResult"]),
        .library(name: "URLSessionResultClient", targets: ["URLSessionResultClient"]),
        .library(name: "URLSessionResultTesting", targets: ["URLSessionResultTesting"]),
    ],
    dependencies: [],
    targets: [
        .target(name: "URLSessionResult", dependencies: ["URLSessionResultJSON", "URLSessionResultTransport"]),
        // The members of JSON documents, in order, at a path, in pieces, on all cores.
        .target(name: "URLSessionResultJSON"),
        // URLSession as its documentation describes it, on every platform.
        .target(name: "URLSessionResultTransport"),
        // What an app needs around its requests.
        .target(
            name: "URLSessionResultClient",
            dependencies: ["URLSessionResult", "URLSessionResultJSON", "URLSessionResultTransport"]),
        // For the tests of an app.
        .target(name: "URLSessionResultTesting", dependencies: ["URLSessionResultTransport"]),
        // Servers with faults, and what else the tests share.
        .target(
            name: "TestSupport", dependencies: ["URLSessionResult"], path: "Tests/TestSupport",
            exclude: ["LoopbackServer/Certificates"]),
        // Each has a folder for each module.
        .testTarget(name: "TestsWithoutServer", dependencies: modules + ["TestSupport"]),
        .testTarget(name: "TestsWithServer", dependencies: modules + ["TestSupport"]),
        // The client where an app's code is on the main actor.
        .testTarget(
            name: "ClientOnMainActor", dependencies: ["URLSessionResultClient", "URLSessionResultTesting"],
            swiftSettings: [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ]),
        // The code that the documentation shows; the second is what an app's target looks like by default.
        .testTarget(name: "Snippets", dependencies: ["URLSessionResult", "URLSessionResultTesting"]),
        .testTarget(
            name: "SnippetsOnMainActor", dependencies: ["URLSessionResult", "URLSessionResultTesting"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)

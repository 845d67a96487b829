// swift-tools-version: 6.2

import PackageDescription

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
        // What needs no server.
        .testTarget(name: "URLSessionResultJSONTests", dependencies: ["URLSessionResultJSON"]),
        .testTarget(
            name: "URLSessionResultTests",
            dependencies: [
                "URLSessionResult", "URLSessionResultJSON", "URLSessionResultTransport", "URLSessionResultTesting",
            ]),
        // How many of the following tests run at once.
        .target(name: "Turns", path: "Tests/Turns"),
        // Servers, redirects, crowds.
        .testTarget(
            name: "URLSessionResultTransportTests",
            dependencies: ["URLSessionResult", "URLSessionResultTransport", "URLSessionResultTesting", "Turns"],
            exclude: ["Support/Shared/LoopbackServer/Certificates"]),
        // The client, with its own server.
        .testTarget(
            name: "URLSessionResultClientTests",
            dependencies: ["URLSessionResultClient", "URLSessionResultTesting", "Turns"],
            exclude: ["Shared/LoopbackServer/Certificates", "Shared/Load", "Shared/Faults"]),
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

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "URLSessionResult",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "URLSessionResult", targets: ["URLSessionResult"])
    ],
    dependencies: [],
    targets: [
        .target(name: "URLSessionResult"),
        .testTarget(
            name: "URLSessionResultTests", dependencies: ["URLSessionResult"],
            exclude: ["Support/LoopbackServer/Certificates"]),
        // The code that the documentation shows; the second is what an app's target looks like by default.
        .testTarget(name: "Snippets", dependencies: ["URLSessionResult"]),
        .testTarget(
            name: "SnippetsOnMainActor", dependencies: ["URLSessionResult"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)

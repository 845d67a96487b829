// swift-tools-version: 6.2

import PackageDescription

let urlSessionResult = Target.Dependency.product(name: "URLSessionResult", package: "URLSessionResult")
let client = Target.Dependency.product(name: "URLSessionResultClient", package: "URLSessionResult")

// Programs to weigh. Nobody has to run them.
let package = Package(
    name: "Weight",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "URLSessionResult", path: "../..")],
    targets: [
        .executableTarget(name: "OneRequest", dependencies: [urlSessionResult]),
        .executableTarget(name: "OneRequestByHand"),
        .executableTarget(name: "OneCall", dependencies: [client]),
        .executableTarget(name: "EveryMethod", dependencies: [urlSessionResult]),
        .executableTarget(name: "EveryMethodByHand"),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let urlSessionResult = Target.Dependency.product(name: "URLSessionResult", package: "URLSessionResult")

let package = Package(
    name: "Weight",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "URLSessionResult", path: "../..")],
    targets: [
        .executableTarget(name: "OneRequest", dependencies: [urlSessionResult]),
        .executableTarget(name: "OneRequestByHand"),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

// A program whose calls are counted. A package of its own, so that it is built without those of the other libraries.
let package = Package(
    name: "Calls",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "URLSessionResult", path: "../..")],
    targets: [
        .executableTarget(
            name: "Calls", dependencies: [.product(name: "URLSessionResult", package: "URLSessionResult")])
    ],
    swiftLanguageModes: [.v6]
)

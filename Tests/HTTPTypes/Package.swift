// swift-tools-version: 6.2

import PackageDescription

// The recipe for requests made of swift-http-types. A package of its own, so that the library needs no other.
let package = Package(
    name: "HTTPTypes",
    platforms: [.macOS(.v12)],
    dependencies: [
        .package(name: "URLSessionResult", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .testTarget(
            name: "HTTPTypesTests",
            dependencies: [
                .product(name: "URLSessionResult", package: "URLSessionResult"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
            ],
            exclude: ["TestSupport/LoopbackServer/Certificates"])
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let library = Target.Dependency.product(name: "URLSessionResult", package: "URLSessionResult")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "URLSessionResult", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .target(name: "ExampleServer", dependencies: [flyingFox], resources: [.copy("Data")]),
        .target(name: "Terminal", dependencies: ["ExampleServer", argumentParser]),

        .target(name: "AlbumsClient", dependencies: [library]),
        .executableTarget(name: "get-albums", dependencies: ["AlbumsClient", "Terminal"]),
        .executableTarget(name: "put-album", dependencies: ["AlbumsClient", "Terminal", library]),

        .target(name: "TestSupport", dependencies: ["ExampleServer", flyingFox], path: "Tests/TestSupport"),
        .testTarget(name: "ExampleServerTests", dependencies: ["ExampleServer", "TestSupport"]),
        .testTarget(name: "AlbumsClientTests", dependencies: ["AlbumsClient", "ExampleServer", "TestSupport"]),
        .testTarget(name: "ProgramTests", dependencies: ["TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let library = Target.Dependency.product(name: "URLSessionResult", package: "URLSessionResult")
let client = Target.Dependency.product(name: "URLSessionResultClient", package: "URLSessionResult")
let testing = Target.Dependency.product(name: "URLSessionResultTesting", package: "URLSessionResult")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")

func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(name: name, dependencies: ["Terminal", argumentParser, library] + dependencies)
}

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Named, because without a name the dependency would be called after the folder that the repository is in.
        .package(name: "URLSessionResult", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox.git", .upToNextMinor(from: "0.27.1")),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        program("find-songs"),
        program("get-albums", "AlbumsClient"),
        program("put-album", "AlbumsClient", "ExampleServer", client),
        program("search-songs", client),
        program("top-movies", client),
        program("fetch-post"),
        program("echo-value"),
        program("download-image", "ExampleServer"),
        program("stream-chat", client),
        program("sync-files", client),
        program("stream-events"),
        program("show-rows"),
        program("compare-on-linux", "ExampleServer", flyingFox),
        .executableTarget(name: "example-server", dependencies: ["ExampleServer", "Terminal", argumentParser]),

        .target(name: "AlbumsClient", dependencies: [library, client]),
        .target(name: "ExampleServer", dependencies: [flyingFox], resources: [.copy("Data")]),
        .target(name: "Terminal", dependencies: ["ExampleServer", argumentParser]),

        .target(name: "TestSupport", dependencies: ["ExampleServer", library, flyingFox], path: "Tests/TestSupport"),
        .testTarget(name: "AlbumsClientTests", dependencies: ["AlbumsClient", "TestSupport", client, testing]),
        .testTarget(name: "ExampleServerTests", dependencies: ["ExampleServer", "TestSupport"]),
        .testTarget(
            name: "NetworkLayerTests",
            dependencies: [
                "find-songs", "search-songs", "top-movies", "download-image", "stream-chat", "sync-files",
                "TestSupport",
                client, testing,
            ],
            resources: [.copy("Responses")]
        ),
        .testTarget(
            name: "MainActorTests",
            dependencies: [
                "AlbumsClient", "search-songs", "top-movies", "fetch-post", "echo-value", "download-image",
                "stream-chat", "TestSupport", client,
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(name: "ProgramTests", dependencies: ["TestSupport"]),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal"]),
    ],
    swiftLanguageModes: [.v6]
)

// For `make lint`: a flag on the command line would reach the dependencies, too.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
    for target in package.targets {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}

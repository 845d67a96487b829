// swift-tools-version: 6.2

import PackageDescription

// The load test is a program of its own: it is long, and what it measures is the whole process.
// `TestSupport` is a link to the folder of the tests, so that the faults are the same.
let package = Package(
    name: "Soak",
    platforms: [.macOS(.v15)],
    // Named, because without a name the dependency would be called after the folder that the repository is in.
    dependencies: [.package(name: "URLSessionResult", path: "..")],
    targets: [
        .executableTarget(
            name: "soak",
            dependencies: [.product(name: "URLSessionResultClient", package: "URLSessionResult")],
            exclude: ["TestSupport/LoopbackServer/Certificates"]
        )
    ],
    swiftLanguageModes: [.v6]
)

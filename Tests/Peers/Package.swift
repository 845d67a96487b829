// swift-tools-version: 6.2

import PackageDescription

// The other libraries' half of the articles about moving from them. A package of its own, because nobody else needs it.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v12)],
    dependencies: [
        .package(url: "https://github.com/Alamofire/Alamofire", from: "5.12.0"),
        .package(url: "https://github.com/kean/Get", from: "2.2.1"),
    ],
    targets: [
        .target(name: "Peers", dependencies: ["Alamofire", "Get"])
    ],
    swiftLanguageModes: [.v5]
)

import ArgumentParser

@main
struct CompareOnLinux: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare-on-linux",
        abstract: "Sends the same requests through URLSession and through URLSessionResult, and compares the results.",
        discussion: "The differences show on Linux with Swift 6.3. Each client runs in a process of its own.",
        subcommands: [Challenge.self, Redirect.self, Cancellation.self]
    )
}

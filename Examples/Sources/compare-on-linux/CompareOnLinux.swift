import ArgumentParser

@main
struct CompareOnLinux: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare-on-linux",
        abstract: "Sends the same requests through URLSession and through URLSessionResult, and compares the results.",
        discussion: """
            The differences show on Linux: those of redirect and cancellation with Swift 6.2 to main (August 2026), that of \
            challenge with Swift 6.2 to 6.3.1, and that of sessions with libcurl 8.9 or later. Each client runs in a process \
            of its own.
            """,
        subcommands: [Redirect.self, Cancellation.self, Challenge.self, Sessions.self]
    )
}

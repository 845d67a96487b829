#if canImport(FoundationNetworking)

import Testing

@testable import URLSessionResultTransport

struct FirstConnectionsTests {
    enum Event: Sendable {
        case add(Int, begins: Bool)
        case connected(Int, beginning: [Int])
        case seconds(UInt64, beginning: [Int])
        case remove(Int, endedByLibcurl: Bool, hadBegun: Bool = true, beginning: [Int])
    }

    @Test(
        "Transfers wait until the first one has a connection, cannot have one, or is gone",
        arguments: [
            [
                .add(1, begins: true), .add(2, begins: false), .add(3, begins: false),
                .connected(1, beginning: [2, 3]), .connected(2, beginning: []), .add(4, begins: true),
                .connected(1, beginning: []), .remove(1, endedByLibcurl: true, beginning: []), .add(5, begins: true),
            ],
            // A connection that fails.
            [
                .add(1, begins: true), .add(2, begins: false), .add(3, begins: false),
                .remove(1, endedByLibcurl: true, beginning: [2, 3]), .add(4, begins: true),
            ],
            // A transfer that is cancelled while it waits.
            [
                .add(1, begins: true), .add(2, begins: false), .add(3, begins: false),
                .remove(2, endedByLibcurl: false, hadBegun: false, beginning: []), .connected(1, beginning: [3]),
            ],
            // Two of them, and the first one goes on.
            [
                .add(1, begins: true), .add(2, begins: false), .add(3, begins: false),
                .remove(3, endedByLibcurl: false, hadBegun: false, beginning: []),
                .remove(2, endedByLibcurl: false, hadBegun: false, beginning: []), .add(4, begins: false),
                .connected(1, beginning: [4]),
            ],
            // One that nobody has added.
            [.remove(1, endedByLibcurl: false, beginning: []), .add(2, begins: true)],
            // The first one is cancelled, and the next one goes ahead.
            [
                .add(1, begins: true), .add(2, begins: false), .add(3, begins: false),
                .remove(1, endedByLibcurl: false, beginning: [2]), .add(4, begins: false),
                .connected(2, beginning: [3, 4]),
            ],
            // When all are gone, the connection may be, too.
            [
                .add(1, begins: true), .connected(1, beginning: []), .remove(1, endedByLibcurl: true, beginning: []),
                .add(2, begins: true), .add(3, begins: false), .remove(2, endedByLibcurl: false, beginning: [3]),
                .remove(3, endedByLibcurl: false, beginning: []), .add(4, begins: true), .add(5, begins: false),
            ],
            // A connection that takes too long, and is there in the end.
            [
                .add(1, begins: true), .seconds(1, beginning: []), .add(2, begins: false), .add(3, begins: false),
                .seconds(2, beginning: [2, 3]), .add(4, begins: true), .connected(1, beginning: []),
                .seconds(9, beginning: []),
            ],
            // The next one that goes ahead has no time of its own: those behind it have waited long enough.
            [
                .add(1, begins: true), .add(2, begins: false), .add(3, begins: false), .seconds(1, beginning: []),
                .remove(1, endedByLibcurl: false, beginning: [2]), .seconds(2, beginning: [3]),
            ],
        ] as [[Event]])
    func events(_ events: [Event]) {
        var connections = FirstConnections<String, Int>()
        // Another server is another matter.
        let isFirst = connections.add(9, to: "other", at: 0)
        #expect(isFirst)
        var now: UInt64 = 0
        for event in events {
            switch event {
            case .seconds(let seconds, let beginning):
                now = seconds * 1_000_000_000
                let others = connections.checkTimes(at: now)
                #expect(others == beginning)
            case .add(let transfer, let begins):
                let hasBegun = connections.add(transfer, to: "server", at: now)
                #expect(hasBegun == begins)
            case .connected(let transfer, let beginning):
                let others = connections.connected(transfer, to: "server")
                #expect(others == beginning)
            case .remove(let transfer, let hasFailed, let hadBegun, let beginning):
                let removal = connections.remove(transfer, to: "server", endedByLibcurl: hasFailed)
                #expect(removal.hadBegun == hadBegun)
                #expect(removal.beginning == beginning)
            }
        }
        let isAlone = connections.add(10, to: "other", at: now)
        #expect(!isAlone)
    }
}

#endif

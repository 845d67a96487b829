#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// The transfer itself, in every order in which its caller, its loads, and a delegate with a timer can act. Nothing sleeps, and
/// all runs on one thread.
///
/// `make sanitize` leaves these tests out: they are many and have no second thread.
struct TransferScheduleTests {
    private typealias Setup = TransferWorld.Setup

    @Test(
        "A data task in 34,650 orders: suspended and cancelled, redirected or challenged, answered and timed out",
        arguments: [PlayedLoad.Server.redirects, .challenges])
    func data(first: PlayedLoad.Server) {
        let setup = Setup(
            caller: [.resume, .suspend, .resume, .cancel], load: [.bytes, .whole, .lateEnd, .whole],
            delegate: [.turn, .follow, .answerAgain, .timeOut], servers: [first, .answers])
        let stage = Stage()
        var count = 0
        var faults: [String] = []
        Schedule.forEach(of: setup.actors.map(\.count)) { order in
            guard faults.isEmpty else { return }
            count += 1
            faults = stage.faults(of: setup, in: order)
        }
        #expect(faults == [])
        #expect(count == 34_650)
    }

    @Test(
        "Every kind of task in 5,000 orders of steps that a seed draws",
        arguments: [TransferWorld.Kind.data, .download, .stream])
    func drawn(kind: TransferWorld.Kind) {
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? 68
        var generator = SeededGenerator(seed: seed)
        let stage = Stage()
        for number in 0..<5_000 {
            let setup = draw(kind, using: &generator)
            let order = Schedule.draw(of: setup.actors.map(\.count), using: &generator)
            let faults = stage.faults(of: setup, in: order)
            guard faults.isEmpty else {
                Issue.record("SEED=\(seed), order \(number): \(faults)")
                return
            }
        }
    }

    private func draw(_ kind: TransferWorld.Kind, using generator: inout SeededGenerator) -> Setup {
        func element<T>(of elements: [T]) -> T { elements[Int.random(in: elements.indices, using: &generator)] }
        return Setup(
            kind: kind,
            caller: element(of: [
                [.resume, .suspend, .resume, .cancel], [.resume, .suspend, .suspend, .resume],
                [.resume, .cancel, .resume, .cancel], [.cancel, .resume, .suspend, .resume],
                [.suspend, .resume, .resume, .suspend],
            ]),
            load: element(of: [
                [.bytes, .whole, .bytes, .whole], [.head, .bytes, .bytes, .whole], [.whole, .head, .whole, .bytes],
                [.bytes, .whole, .bytes, .fail], [.head, .fail, .bytes, .whole], [.whole, .lateEnd, .bytes, .whole],
                [.bytes, .whole, .lateEnd, .fail], [.lose, .bytes, .lateEnd, .whole], [.lose, .lose, .whole, .bytes],
                [.whole, .whole, .bytes, .whole],
            ]),
            delegate: element(of: [
                [.turn, .follow, .turn, .timeOut], [.turn, .follow, .answerAgain, .turn],
                [.turn, .refuse, .turn, .answerAgain],
                [.find, .turn, .follow, .find], [.find, .turn, .follow, .answerAgain],
                [.endHolding, .turn, .follow, .endHolding],
                [.turn, .turn, .timeOut, .callOnGlobalQueue],
                [.turn, .follow, .turn, .follow],
            ]),
            servers: element(of: [
                [.answers], [.redirects, .answers], [.challenges, .answers], [.redirects, .challenges, .answers],
                [.challenges, .redirects, .answers], [.challenges, .challenges, .answers],
            ]),
            findsLater: element(of: [false, false, true]),
            cancelling: element(of: [nil, nil, nil, nil, .whenAsked, .whenBytesCome, .inHandler]))
    }

    /// A session for many worlds, one after the other: making one takes long.
    private struct Stage {
        let queue = HandTurnedQueue()
        let session: URLSession

        init() {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.urlCredentialStorage = nil
            session = URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
        }

        func faults(of setup: Setup, in order: [Int]) -> [String] {
            let faults = TransferWorld(setup, in: session, turning: queue).run(order)
            return faults.isEmpty ? [] : faults + ["in the order \(order) of \(setup)"]
        }
    }
}

#endif

#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The tasks that a session lists, in the hands of somebody who has no other.
@Suite(.inTurn)
struct FoundTaskTests {
    /// How the sessions differ in the tasks that they list.
    enum Owner: CaseIterable, Sendable {
        case session, sessionWithDelegate

        func session() -> URLSession {
            switch self {
            case .session: URLSession(configuration: .ephemeral)
            case .sessionWithDelegate: SessionDelegate().session()
            }
        }
    }

    /// What is done with each task, and whether the request is cancelled by it.
    enum Touch: CaseIterable, Sendable {
        case suspendAndResume, suspendTwice, resume, suspendAndCancel, cancel

        var cancels: Bool { self == .suspendAndCancel || self == .cancel }

        func callAsFunction(_ task: URLSessionTask) {
            switch self {
            case .suspendAndResume:
                task.suspend()
                task.resume()
            case .suspendTwice:
                for _ in 0..<2 { task.suspend() }
                for _ in 0..<2 { task.resume() }
            case .resume:
                task.resume()
            case .suspendAndCancel:
                task.suspend()
                task.cancel()
            case .cancel:
                task.cancel()
            }
        }
    }

    @Test("Only what is cancelled ends, as cancelled", arguments: APIForm.some, Touch.allCases)
    func touched(_ form: APIForm, _ touch: Touch) async throws {
        for owner in Owner.allCases {
            let gate = Gate()
            let server = try LoopbackServer(.ok("abc").once(gate))
            let session = owner.session()
            defer { session.finishTasksAndInvalidate() }
            let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
            let transfer = Task { await form.run(session, request) }
            try await server.requests(atLeast: 1)
            await session.listedTasks.forEach(touch.callAsFunction)
            if !touch.cancels { gate.open() }
            let result = await transfer.value
            gate.open()
            if touch.cancels {
                #expect(result.error?.isCancelled == true)
            } else {
                #expect(try result.get() == Data((form.givesBody ? "abc" : "").utf8))
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("A suspended one holds the end of its request back", arguments: CallersTaskTests.Kind.allCases)
    func suspended(_ kind: CallersTaskTests.Kind) async throws {
        for owner in Owner.allCases {
            let gate = Gate()
            let server = try LoopbackServer(.ok("abc").once(gate))
            let session = owner.session()
            defer { session.finishTasksAndInvalidate() }
            let ends = Monitor<[NetworkError?]>([])
            let task = kind.task(server.url(), in: session) { error in ends.withLock { $0.append(error) } }
            task.resume()
            try await server.requests(atLeast: 1)
            let listed = await session.listedTasks
            listed.forEach { $0.suspend() }
            while task.state != .suspended { try await letOthersRun() }
            gate.open()
            while task.countOfBytesReceived < 3 { try await letOthersRun() }
            #expect(ends.value.isEmpty)
            // Those that are suspended are listed, too.
            #expect(await session.listedTasks.map(\.taskIdentifier) == [task.taskIdentifier])
            listed.forEach { $0.resume() }
            try await ends.value { !$0.isEmpty }
            #expect(ends.value.count == 1 && ends.value.allSatisfy { $0 == nil })
        }
    }

    @Test("It resumes a request that its caller has suspended")
    func resumed() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let session = URLSession(configuration: .ephemeral)
        let isOver = Gate()
        let task = CallersTaskTests.Kind.data.task(server.url(), in: session) { _ in isOver.open() }
        task.resume()
        task.suspend()
        while task.countOfBytesReceived < 3 { try await letOthersRun() }
        await session.listedTasks.forEach { $0.resume() }
        try await isOver.opened()
    }

    @Test("It shows the request behind a scheme of the library, and the description", arguments: APIForm.some)
    func shown(_ form: APIForm) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok().once(gate))
        let session = URLSession(configuration: .ephemeral)
        var request = URLRequest(url: server.url("/a?b=c"), method: form.uploads ? .put : .get)
        request.setValue("value", forHTTPHeaderField: "X-Field")
        let transfer = Task { [request] in await form.run(session, request) }
        try await server.requests(atLeast: 1)
        let listed = try #require(await session.listedTasks.first)
        #expect(listed.originalRequest?.url?.absoluteString == "data+listed:\(server.url("/a?b=c"))")
        #expect(listed.originalRequest?.httpMethod == request.httpMethod)
        #expect(listed.originalRequest?.value(forHTTPHeaderField: "X-Field") == "value")
        gate.open()
        _ = await transfer.value
    }

    @Test("It shows the present description of the caller's task", arguments: CallersTaskTests.Kind.allCases)
    func description(_ kind: CallersTaskTests.Kind) async throws {
        let server = try LoopbackServer(.silent)
        let session = URLSession(configuration: .ephemeral)
        let task = kind.task(server.url(), in: session)
        task.taskDescription = "first"
        task.resume()
        #expect(await session.listedTasks.map(\.taskDescription) == ["first"])
        task.taskDescription = "second"
        #expect(await session.listedTasks.map(\.taskDescription) == ["second"])
        task.cancel()
    }
}

extension URLSession {
    fileprivate var listedTasks: [URLSessionTask] {
        get async {
            await withCheckedContinuation { continuation in
                getAllTasks { continuation.resume(returning: $0) }
            }
        }
    }
}

#endif

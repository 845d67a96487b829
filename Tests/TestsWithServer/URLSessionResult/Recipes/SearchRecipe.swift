import Foundation
import Observation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

// `Observable` came with iOS 17.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
// snippet.search-model
@MainActor @Observable
final class SearchModel {
    private(set) var albums: [Album] = []
    private(set) var isLoading = false
    private(set) var message: String?

    private let send: (String) async -> Result<[Album], NetworkError>
    private let pause: @Sendable () async throws -> Void
    @ObservationIgnored private var search: Task<Void, Never>?

    init(
        pause: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(nanoseconds: 300_000_000)
        },
        send: @escaping (String) async -> Result<[Album], NetworkError>
    ) {
        self.pause = pause
        self.send = send
    }

    /// Searches for what the user has typed so far. Cancels the search
    /// for what was there before.
    func textChanged(to text: String) {
        search?.cancel()
        guard !text.isEmpty else {
            isLoading = false
            albums = []
            message = nil
            return
        }
        search = Task {
            try? await pause()
            guard !Task.isCancelled else { return }
            isLoading = true
            let result = await send(text)
            // A newer search is under way: this one changes nothing,
            // also if its response came first.
            guard !Task.isCancelled else { return }
            isLoading = false
            show(result)
        }
    }

    /// Cancels the search. What was found before stays.
    func cancel() {
        search?.cancel()
        isLoading = false
    }

    private func show(_ result: Result<[Album], NetworkError>) {
        switch result {
        case .success(let albums):
            self.albums = albums
            message = nil
        case .failure(let error):
            message = error.localizedDescription
        }
    }
}
// snippet.end

@MainActor
@Suite(.inTurn)
struct SearchRecipe {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func model(_ stub: SessionStub) throws -> SearchModel {
        let url = try #require(URL(string: "https://albums.test/search"))
        return SearchModel(pause: {}) { text in
            let query = URL(string: "?q=\(text)", relativeTo: url) ?? url
            return await stub.session.dataResult(from: query, decoder: .json([Album].self))
        }
    }

    /// Returns when the value has changed, which the action brings about.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func change<T>(of value: () -> T, after action: () -> Void) async {
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = value()
            } onChange: {
                // It is told before the change, which the main actor makes first.
                Task { @MainActor in continuation.resume() }
            }
            action()
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("The albums of the text are shown, and a loading state before them")
    func albums() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            try await gate.opened()
            return .json(#"[{"id": 7, "title": "N", "releasedAt": 0}]"#)
        }
        let model = try model(stub)
        model.textChanged(to: "joni")
        try await stub.requests(atLeast: 1)
        #expect(model.isLoading)
        #expect(model.albums.isEmpty)
        await change(of: { model.albums }, after: { gate.open() })
        #expect(model.albums.map(\.title) == ["N"])
        #expect(!model.isLoading)
        model.textChanged(to: "")
        #expect(model.albums.isEmpty)
        #expect(stub.requests.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A newer text cancels the search for the one before, and no message says so")
    func newerText() async throws {
        let stub = SessionStub(.never, .json(#"[{"id": 7, "title": "N", "releasedAt": 0}]"#))
        let model = try model(stub)
        model.textChanged(to: "jo")
        try await stub.requests(atLeast: 1)
        await change(of: { model.albums }, after: { model.textChanged(to: "joni") })
        #expect(model.albums.map(\.title) == ["N"])
        #expect(model.message == nil)
        #expect(stub.requests.map(\.url?.query) == ["q=jo", "q=joni"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A view that goes cancels the search, and keeps what was found before")
    func cancel() async throws {
        let stub = SessionStub(.json(#"[{"id": 7, "title": "N", "releasedAt": 0}]"#), .never)
        let isCancelled = SessionStub.Gate()
        let model = SearchModel(pause: {}) { _ in
            let result = await stub.session.dataResult(
                from: URL(fileURLWithPath: "/"), decoder: .json([Album].self))
            if result.error?.isCancelled == true { isCancelled.open() }
            return result
        }
        await change(of: { model.albums }, after: { model.textChanged(to: "jo") })
        await change(of: { model.isLoading }, after: { model.textChanged(to: "joni") })
        #expect(model.isLoading)
        model.cancel()
        try await isCancelled.opened()
        #expect(!model.isLoading)
        #expect(model.albums.map(\.title) == ["N"])
        #expect(model.message == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A response for an older text that comes all the same is not shown")
    func staleResponse() async {
        let answers = Answers()
        let model = SearchModel(pause: {}) { await answers.answer(to: $0) }
        model.textChanged(to: "old")
        await answers.waits(for: "old")
        model.textChanged(to: "new")
        await answers.waits(for: "new")
        answers.give([Album(id: 7, title: "old", releasedAt: Date())], to: "old")
        for _ in 0..<100 { await Task.yield() }
        #expect(model.albums.isEmpty)
        #expect(model.isLoading)
        await change(
            of: { model.albums },
            after: { answers.give([Album(id: 7, title: "new", releasedAt: Date())], to: "new") })
        #expect(model.albums.map(\.title) == ["new"])
        #expect(!model.isLoading)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A cancellation from elsewhere is a message, which goes with the text")
    func cancelledElsewhere() async {
        let model = SearchModel(pause: {}) { _ in .failure(.transportError(URLError(.cancelled))) }
        await change(of: { model.message }, after: { model.textChanged(to: "joni") })
        #expect(model.message != nil)
        #expect(!model.isLoading)
        model.textChanged(to: "")
        #expect(model.message == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A text that is cleared during the pause starts nothing")
    func clearedDuringPause() async throws {
        let gate = SessionStub.Gate()
        let isPausing = SessionStub.Gate()
        let stub = SessionStub(.json("[]"))
        let model = SearchModel(
            pause: {
                isPausing.open()
                // Ends although it is cancelled, as a pause does that is over in this moment.
                await Task { try? await gate.opened() }.value
            },
            send: { _ in await stub.session.dataResult(from: URL(fileURLWithPath: "/"), decoder: .json([Album].self)) })
        model.textChanged(to: "joni")
        try await isPausing.opened()
        model.textChanged(to: "")
        gate.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(!model.isLoading)
        #expect(stub.requests.isEmpty)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("An error is shown")
    func error() async throws {
        let stub = SessionStub(.failure(URLError(.timedOut)))
        let failing = try model(stub)
        await change(of: { failing.message }, after: { failing.textChanged(to: "joni") })
        #expect(failing.message?.hasPrefix("The server did not answer in time.") == true)
    }
}

/// Gives results when a test says so, whoever is cancelled meanwhile.
@MainActor
private final class Answers {
    private var waiting: [String: CheckedContinuation<Result<[Album], NetworkError>, Never>] = [:]
    private var observers: [String: CheckedContinuation<Void, Never>] = [:]

    func answer(to text: String) async -> Result<[Album], NetworkError> {
        await withCheckedContinuation { continuation in
            waiting[text] = continuation
            observers.removeValue(forKey: text)?.resume()
        }
    }

    /// Returns when somebody waits for this answer.
    func waits(for text: String) async {
        guard waiting[text] == nil else { return }
        await withCheckedContinuation { observers[text] = $0 }
    }

    func give(_ albums: [Album], to text: String) {
        waiting.removeValue(forKey: text)?.resume(returning: .success(albums))
    }
}

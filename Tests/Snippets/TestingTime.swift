import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.patient-client
nonisolated struct PatientClient: Sendable {
    let session: URLSession
    let url: URL
    var sleep: @Sendable (_ seconds: Int) async throws -> Void = {
        try await Task.sleep(nanoseconds: UInt64($0) * 1_000_000_000)
    }

    /// Gets the albums. Waits and tries again if the server is busy.
    func albums() async -> Result<[Album], NetworkError> {
        let result = await load()
        guard case .failure(let error) = result, error.statusCode == 503
        else { return result }
        let wait = Int(error.response?.header("Retry-After") ?? "") ?? 1
        guard (0...60).contains(wait), (try? await sleep(wait)) != nil
        else { return result }
        return await load()
    }

    private func load() async -> Result<[Album], NetworkError> {
        await session.dataResult(
            from: url, decoder: .json([Album].self))
    }
}
// snippet.end

// snippet.view-model
@MainActor
final class AlbumsViewModel {
    private(set) var albums: [Album] = []
    private(set) var isLoading = false
    private(set) var message: String?
    private let load: () async -> Result<[Album], NetworkError>

    init(load: @escaping () async -> Result<[Album], NetworkError>) {
        self.load = load
    }

    func refresh() async {
        isLoading = true
        message = nil
        defer { isLoading = false }
        switch await load() {
        case .success(let albums):
            self.albums = albums
        case .failure where Task.isCancelled:
            break
        case .failure(let error):
            message = error.localizedDescription
        }
    }
}
// snippet.end

// snippet.retry-test
@Test("A request waits as long as a busy server says")
func retry() async throws {
    let stub = SessionStub(
        .response(statusCode: 503, headers: ["Retry-After": "7"]),
        .json("[]"))
    let client = PatientClient(session: stub.session, url: url) {
        #expect($0 == 7)
    }

    #expect(try await client.albums().get().isEmpty)
    #expect(stub.requests.count == 2)
}
// snippet.end

// snippet.loading-test
@MainActor
@Test("A view model is loading until the answer is there")
func loadingState() async throws {
    let gate = SessionStub.Gate()
    let stub = SessionStub { _ in
        try await gate.opened()
        return .json("[]")
    }
    let client = PatientClient(session: stub.session, url: url)
    let model = AlbumsViewModel { await client.albums() }

    let refresh = Task { await model.refresh() }
    try await stub.requests(atLeast: 1)
    #expect(model.isLoading)

    gate.open()
    await refresh.value
    #expect(!model.isLoading)
}
// snippet.end

// snippet.cancellation-test
@MainActor
@Test("A refresh that is cancelled shows no message")
func cancellation() async throws {
    let stub = SessionStub(.never)
    let client = PatientClient(session: stub.session, url: url)
    let model = AlbumsViewModel { await client.albums() }

    let refresh = Task { await model.refresh() }
    try await stub.requests(atLeast: 1)
    refresh.cancel()
    await refresh.value

    #expect(model.message == nil)
}
// snippet.end

// snippet.pieces
@Test("Events are read while they arrive")
func events() async throws {
    let gate = SessionStub.Gate()
    let stub = SessionStub { _ in
        .stream { body in
            body.write("data: one\n\n")
            try await gate.opened()
            body.write("data: two\n\n")
        }
    }
    let response = try await stub.session.bytesResult(from: url).get()
    var events: [String] = []
    for try await event in response.body.events {
        events.append(event.data)
        gate.open()
    }
    #expect(events == ["one", "two"])
}
// snippet.end

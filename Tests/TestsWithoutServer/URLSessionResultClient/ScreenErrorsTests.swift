import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

/// What a screen asks, of each error that a client makes itself.
struct ScreenErrorsTests {
    enum Cause: String, CaseIterable {
        case offline, timeout, deadline, deadlineOfAttempt, cancelled, cancelledInRetry, cancelledAdapter
        case unauthorized, fixedToken, ownRefusal, refusedTwice, rejectedRefresh, failedRefresh, offlineRefresh
        case signedOutInRefresh, otherUser, forbidden, notFound, unavailable
        case badPath, badField, badBody, badToken, tooLong, noJSON, noEvents, twoDownloads, lost

        var requiresSignIn: Bool {
            [
                .unauthorized, .fixedToken, .ownRefusal, .refusedTwice, .rejectedRefresh, .signedOutInRefresh,
                .otherUser,
            ].contains(self)
        }
        var isOffline: Bool { [.offline, .offlineRefresh].contains(self) }
        var isTimeout: Bool { [.timeout, .deadline, .deadlineOfAttempt].contains(self) }
        var isCancelled: Bool { [.cancelled, .cancelledInRetry, .cancelledAdapter].contains(self) }
    }

    private let url = URL(string: "https://albums.test/v1") ?? URL(fileURLWithPath: "/")

    private func client(_ stub: SessionStub, _ middleware: any RequestMiddleware...) -> APIClient {
        APIClient(baseURL: url, session: stub.session, middleware: middleware, maximumBodySize: 100)
    }

    @Test("Each is offline, a timeout, a sign-in, a cancellation, or none of them", arguments: Cause.allCases)
    func questions(_ cause: Cause) async throws {
        let error = try #require(await error(by: cause))
        #expect(error.isOffline == cause.isOffline)
        #expect(error.isTimeout == cause.isTimeout)
        #expect(error.requiresSignIn == cause.requiresSignIn)
        #expect(error.isCancelled == cause.isCancelled)
        if cause == .refusedTwice || cause == .rejectedRefresh { #expect(error.reasonForSignIn?.statusCode == 401) }
    }

    private func error(by cause: Cause) async throws -> NetworkError? {
        let get = Endpoint(.get, "a", as: Int.self)
        let stub = SessionStub(answer(to: cause))
        var impatient = Deadline(seconds: 1)
        impatient.sleep = { _ in }
        switch cause {
        case .deadline:
            let stub = SessionStub { _ in try await never() }
            return await client(stub, impatient).result(for: get).error
        case .deadlineOfAttempt:
            let stub = SessionStub { _ in try await never() }
            return await client(stub, Retry(attempts: 1), impatient).result(for: get).error
        case .cancelled:
            return await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await client(stub).result(for: get).error
            }.value
        case .cancelledInRetry:
            var retry = Retry()
            retry.sleep = { _ in throw CancellationError() }
            return await client(stub, retry).result(for: get).error
        case .cancelledAdapter:
            return await client(stub, RequestAdapter { _ in throw URLError(.cancelled) }).result(for: get).error
        case .fixedToken:
            return await client(stub, TokenAuthentication("0", for: url)).result(for: get).error
        case .ownRefusal:
            let token = TokenAuthentication("0", for: url, isRefusal: { $0.statusCode == 403 })
            return await client(stub, token).result(for: get).error
        case .refusedTwice:
            return await client(stub, TokenAuthentication("0", for: url) { _ in .success("1") }).result(for: get).error
        case .rejectedRefresh:
            let plain = client(stub)
            let token = TokenAuthentication(for: url) { _ in await plain.result(for: get).map { _ in "1" } }
            return await client(stub, token).result(for: get).error
        case .failedRefresh, .offlineRefresh:
            let code: URLError.Code = cause == .offlineRefresh ? .notConnectedToInternet : .cannotFindHost
            let token = TokenAuthentication(for: url) { _ in .failure(.transportError(URLError(code))) }
            return await client(stub, token).result(for: get).error
        case .signedOutInRefresh:
            let token = Monitor<TokenAuthentication?>(nil)
            let own = TokenAuthentication(for: url) { _ in
                token.value?.signOut()
                return .success("1")
            }
            token.withLock { $0 = own }
            return await client(stub, own).result(for: get).error
        case .otherUser:
            let token = TokenAuthentication("0", for: url)
            var retry = Retry()
            retry.sleep = { _ in
                token.signOut()
                token.signIn("1")
            }
            return await client(stub, retry, token).result(for: get).error
        case .badPath:
            return await client(stub).result(for: Endpoint(.get, "\("")", as: Int.self)).error
        case .badField:
            return await client(stub).result(for: Endpoint(.get, "a", headers: ["A": "\n"], as: Int.self)).error
        case .badBody:
            return await client(stub).result(for: Endpoint(.put, "a", body: .json(Double.nan), as: Int.self)).error
        case .badToken:
            return await client(stub, TokenAuthentication("\n", for: url)).result(for: get).error
        case .noEvents:
            do {
                for try await _ in client(stub).events(for: get) {}
                return nil
            } catch {
                return error
            }
        case .twoDownloads:
            return await errorOfTwoDownloads()
        default:
            return await client(stub).result(for: get).error
        }
    }

    private func answer(to cause: Cause) -> SessionStub.Answer {
        switch cause {
        case .offline: .failure(URLError(.notConnectedToInternet))
        case .timeout: .failure(URLError(.timedOut))
        case .lost: .failure(URLError(.networkConnectionLost))
        case .unauthorized, .fixedToken, .refusedTwice, .rejectedRefresh: .response(statusCode: 401)
        case .ownRefusal, .forbidden: .response(statusCode: 403)
        case .notFound: .response(statusCode: 404)
        case .unavailable, .cancelledInRetry, .otherUser: .response(statusCode: 503)
        case .tooLong: .json(String(repeating: "1", count: 101))
        case .noJSON: .text("<html>")
        default: .json("1")
        }
    }

    /// Does not end before the request does.
    private func never() async throws -> SessionStub.Answer {
        try await SessionStub.Gate().opened()
        return .json("1")
    }

    private func errorOfTwoDownloads() async -> NetworkError? {
        let folder = TemporaryFolder()
        let file = folder.file()
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            try await gate.opened()
            return .json("1")
        }
        let client = client(stub)
        let endpoint = Endpoint(.get, "a")
        async let first = client.resumableDownloadResult(for: endpoint, to: file)
        _ = try? await stub.requests(atLeast: 1)
        let second = await client.resumableDownloadResult(for: endpoint, to: file)
        gate.open()
        _ = await first
        withExtendedLifetime(folder) {}
        return second.error
    }
}

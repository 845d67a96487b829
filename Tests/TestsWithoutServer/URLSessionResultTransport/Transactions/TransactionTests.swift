#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// What a transaction answers when its load was stopped.
struct TransactionTests {
    @Test("A chunked upload that was stopped is not sent again, neither whole nor empty", arguments: [false, true])
    func stoppedUpload(isStopped: Bool) throws {
        let session = URLSession(configuration: .ephemeral)
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        request.httpMethod = "POST"
        request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
        let kind = TaskKind.upload(.data(Data("body".utf8)))
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        let transfer = Transfer(session: session, request: request, kind: kind, dependencies: dependencies) { _ in }
        let transaction = try Transaction(
            sending: PreparedRequest(request, kind), as: request, by: .http, for: transfer)
        if isStopped { transaction.stop() }
        let isAsked = Locked(false)
        transaction.connectionIsLost { stream in
            isAsked.withLock { $0 = true }
            #expect(stream != nil)
        }
        #expect(isAsked.withLock { $0 })
        if !isStopped { transaction.stop() }
    }
}

#endif

import Foundation
import URLSessionResult

@testable import TestSupport

extension APIForm {
    /// The counterparts that take a URL: each sends what the one for a request sends.
    static let byURL: [APIForm] = callbacksByURL + asynchronousByURL

    private static let callbacksByURL: [APIForm] = [
        APIForm(byURL: "dataTask(with:resultHandler:)") { session, url, codes, _ in
            await calling { session.dataTask(with: url, accepting: codes, resultHandler: $0) }
        },
        APIForm(byURL: "dataTask(with:errorHandler:)", givesBody: false) { session, url, codes, _ in
            await calling { handler in
                session.dataTask(with: url, accepting: codes, errorHandler: { handler($0.result) })
            }
        },
        APIForm(byURL: "dataTask(with:decoder:resultHandler:)") { session, url, codes, _ in
            await calling { session.dataTask(with: url, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
        APIForm(byURL: "downloadTask(with:resultHandler:)") { session, url, codes, _ in
            await calling { handler in
                session.downloadTask(with: url, accepting: codes) { handler($0.takeContents()) }
            }
        },
        APIForm(byURL: "downloadTask(with:to:resultHandler:)") { session, url, codes, _ in
            await TemporaryFolder().using { file in
                await calling { handler in
                    session.downloadTask(with: url, to: file, accepting: codes) { handler($0.contents) }
                }
            }
        },
        APIForm(byURL: "downloadTask(with:decoder:resultHandler:)") { session, url, codes, _ in
            await calling { session.downloadTask(with: url, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
    ]

    static let asynchronousByURL: [APIForm] = [
        APIForm(byURL: "dataResult(from:)") { await $0.dataResult(from: $1, accepting: $2, delegate: $3) },
        APIForm(byURL: "dataResult(from:decoder:)") {
            await $0.dataResult(from: $1, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm(byURL: "dataResult(from:decoder: .response)") {
            await $0.dataResult(from: $1, decoder: .response(.bytes), accepting: $2, delegate: $3).map(\.body)
        },
        APIForm(byURL: "downloadResult(from:to:)") { session, url, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(from: url, to: file, accepting: codes, delegate: delegate).contents
            }
        },
        APIForm(byURL: "downloadResult(from:decoder:)") {
            await $0.downloadResult(from: $1, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm(byURL: "downloadResponse(from:to:)") { session, url, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResponse(from: url, to: file, accepting: codes, delegate: delegate)
                    .map(\.body).contents
            }
        },
        APIForm(byURL: "bytesResult(from:)") {
            await $0.bytesResult(from: $1, accepting: $2, delegate: $3).collected()
        },
    ]

    private init(
        byURL name: String, givesBody: Bool = true,
        send: @escaping @Sendable (URLSession, URL, Range<Int>, (any URLSessionTaskDelegate)?) async -> DataResult
    ) {
        self.init("\(name) by URL", givesBody: givesBody) { session, request, codes, delegate in
            guard let url = request.url else { return .failure(.noData) }
            return await send(session, url, codes, delegate)
        }
    }
}

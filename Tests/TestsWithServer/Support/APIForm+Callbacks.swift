import Foundation
import URLSessionResult

@testable import TestSupport

/// Tasks with a handler.
extension APIForm {
    static let callbacks: [APIForm] = dataCallbacks + uploadCallbacks + downloadCallbacks

    static let dataTask = APIForm("dataTask(with:resultHandler:)") { session, request, codes, _ in
        await calling { session.dataTask(with: request, accepting: codes, resultHandler: $0) }
    }

    static let uploadTask = APIForm("uploadTask(with:from:resultHandler:)", uploads: true) {
        session, request, codes, _ in
        await calling {
            session.uploadTask(with: request, from: uploadedBody, accepting: codes, resultHandler: $0)
        }
    }

    static let dataCallbacks: [APIForm] = [
        dataTask,
        APIForm("dataTask(with:errorHandler:)", givesBody: false) { session, request, codes, _ in
            await calling { handler in
                session.dataTask(with: request, accepting: codes, errorHandler: { handler($0.result) })
            }
        },
        APIForm("dataTask(with:decoder:resultHandler:)") { session, request, codes, _ in
            await calling { session.dataTask(with: request, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
    ]

    static let uploadCallbacks: [APIForm] = [
        uploadTask,
        APIForm("uploadTask(with:from:errorHandler:)", givesBody: false, uploads: true) { session, request, codes, _ in
            await calling { handler in
                session.uploadTask(
                    with: request, from: uploadedBody, accepting: codes, errorHandler: { handler($0.result) })
            }
        },
        APIForm("uploadTask(with:from:decoder:resultHandler:)", uploads: true) { session, request, codes, _ in
            await calling {
                session.uploadTask(
                    with: request, from: uploadedBody, decoder: .bytes, accepting: codes, resultHandler: $0)
            }
        },
        APIForm("uploadTask(with:fromFile:resultHandler:)", uploads: true) { session, request, codes, _ in
            await TemporaryFolder().using(uploadedBody) { file in
                await calling { session.uploadTask(with: request, fromFile: file, accepting: codes, resultHandler: $0) }
            }
        },
        APIForm("uploadTask(with:fromFile:errorHandler:)", givesBody: false, uploads: true) {
            session, request, codes, _ in
            await TemporaryFolder().using(uploadedBody) { file in
                await calling { handler in
                    session.uploadTask(
                        with: request, fromFile: file, accepting: codes, errorHandler: { handler($0.result) })
                }
            }
        },
        APIForm("uploadTask(with:fromFile:decoder:resultHandler:)", uploads: true) { session, request, codes, _ in
            await TemporaryFolder().using(uploadedBody) { file in
                await calling {
                    session.uploadTask(
                        with: request, fromFile: file, decoder: .bytes, accepting: codes, resultHandler: $0)
                }
            }
        },
    ]

    static let downloadCallbacks: [APIForm] = [
        APIForm("downloadTask(with:resultHandler:)") { session, request, codes, _ in
            await calling { handler in
                session.downloadTask(with: request, accepting: codes) { handler($0.takeContents()) }
            }
        },
        APIForm("downloadTask(with:to:resultHandler:)") { session, request, codes, _ in
            await TemporaryFolder().using { file in
                await calling { handler in
                    session.downloadTask(with: request, to: file, accepting: codes) { handler($0.contents) }
                }
            }
        },
        APIForm("downloadTask(with:decoder:resultHandler:)") { session, request, codes, _ in
            await calling { session.downloadTask(with: request, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
    ]
}

extension NetworkError? {
    /// The result of a task that tells only its error.
    var result: DataResult { map(Result.failure) ?? .success(Data()) }
}

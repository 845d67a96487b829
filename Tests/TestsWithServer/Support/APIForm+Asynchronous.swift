import Foundation
import URLSessionResult

@testable import TestSupport

/// Methods that a task awaits.
extension APIForm {
    static let asynchronous: [APIForm] = asynchronousData + asynchronousUploads + asynchronousDownloads + streams

    static let dataResult = APIForm("dataResult(for:)") { await $0.dataResult(for: $1, accepting: $2, delegate: $3) }

    static let dataResultWithProgress = APIForm("dataResult(for:progress:)") {
        await $0.dataResult(for: $1, accepting: $2, delegate: $3) { _ in }
    }

    static let decodedDataResult = APIForm("dataResult(for:decoder:)") {
        await $0.dataResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3)
    }

    static let uploadResultWithProgress = APIForm("uploadResult(for:from:progress:)", uploads: true) {
        await $0.uploadResult(for: $1, from: uploadedBody, accepting: $2, delegate: $3) { _ in }
    }

    static let downloadResult = APIForm("downloadResult(for:to:)") { session, request, codes, delegate in
        await TemporaryFolder().using { file in
            await session.downloadResult(for: request, to: file, accepting: codes, delegate: delegate).contents
        }
    }

    static let downloadResultWithProgress = APIForm("downloadResult(for:to:progress:)") {
        session, request, codes, delegate in
        await TemporaryFolder().using { file in
            await session.downloadResult(for: request, to: file, accepting: codes, delegate: delegate) { _ in }
                .contents
        }
    }

    static let bytesResult = APIForm("bytesResult(for:)", isStream: true) {
        await $0.bytesResult(for: $1, accepting: $2, delegate: $3).collected()
    }

    static let asynchronousData: [APIForm] = [
        dataResult,
        dataResultWithProgress,
        decodedDataResult,
        APIForm("dataResult(for:decoder:progress:)") {
            await $0.dataResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3) { _ in }
        },
        APIForm("dataResult(for:decoder: .response)") {
            await $0.dataResult(for: $1, decoder: .response(.bytes), accepting: $2, delegate: $3).map(\.body)
        },
    ]

    static let asynchronousUploads: [APIForm] = [
        APIForm("uploadResult(for:from:)", uploads: true) {
            await $0.uploadResult(for: $1, from: uploadedBody, accepting: $2, delegate: $3)
        },
        uploadResultWithProgress,
        APIForm("uploadResult(for:from:decoder:)", uploads: true) {
            await $0.uploadResult(for: $1, from: uploadedBody, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm("uploadResult(for:fromFile:)", uploads: true) { session, request, codes, delegate in
            await TemporaryFolder().using(uploadedBody) { file in
                await session.uploadResult(for: request, fromFile: file, accepting: codes, delegate: delegate)
            }
        },
        APIForm("uploadResult(for:fromFile:decoder:progress:)", uploads: true) { session, request, codes, delegate in
            await TemporaryFolder().using(uploadedBody) { file in
                await session.uploadResult(
                    for: request, fromFile: file, decoder: .bytes, accepting: codes, delegate: delegate
                ) { _ in }
            }
        },
    ]

    static let asynchronousDownloads: [APIForm] = [
        downloadResult,
        downloadResultWithProgress,
        APIForm("downloadResult(for:decoder:)") {
            await $0.downloadResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm("downloadResult(for:decoder:progress:)") {
            await $0.downloadResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3) { _ in }
        },
        APIForm("downloadResponse(for:to:)") { session, request, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResponse(for: request, to: file, accepting: codes, delegate: delegate)
                    .map(\.body).contents
            }
        },
    ]

    static let streams: [APIForm] = [
        bytesResult
    ]
}

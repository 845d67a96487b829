import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// One way to send a request with a decoder that gives the response as well.
struct DecoderForm: Sendable, CustomTestStringConvertible {
    typealias Decoded = NetworkResponse<[Int]>
    typealias Run = @Sendable (URLSession, URLRequest, ResultDecoder<Decoded>) async -> Result<Decoded, NetworkError>

    let testDescription: String
    let run: Run

    private init(_ name: String, run: @escaping Run) {
        testDescription = name
        self.run = run
    }

    /// Sends a request and invalidates the session.
    func callAsFunction(
        _ url: URL, decoder: ResultDecoder<Decoded> = .response(.json([Int].self))
    ) async -> Result<Decoded, NetworkError> {
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        return await run(session, URLRequest(url: url, method: .post), decoder)
    }

    static let all = callbacks + asynchronous

    private static let callbacks = [
        DecoderForm("dataTask(with:decoder:)") { session, request, decoder in
            await calling { session.dataTask(with: request, decoder: decoder, resultHandler: $0) }
        },
        DecoderForm("uploadTask(with:from:decoder:)") { session, request, decoder in
            await calling { session.uploadTask(with: request, from: Data(), decoder: decoder, resultHandler: $0) }
        },
        DecoderForm("uploadTask(with:fromFile:decoder:)") { session, request, decoder in
            await TemporaryFolder().using(Data("sent".utf8)) { file in
                await calling { session.uploadTask(with: request, fromFile: file, decoder: decoder, resultHandler: $0) }
            }
        },
        DecoderForm("downloadTask(with:decoder:)") { session, request, decoder in
            await calling { session.downloadTask(with: request, decoder: decoder, resultHandler: $0) }
        },
    ]

    private static let asynchronous = [
        DecoderForm("dataResult(for:decoder:)") { await $0.dataResult(for: $1, decoder: $2) },
        DecoderForm("dataResult(for:decoder:progress:)") {
            await $0.dataResult(for: $1, decoder: $2, progress: ignored)
        },
        DecoderForm("uploadResult(for:from:decoder:)") {
            await $0.uploadResult(for: $1, from: Data("sent".utf8), decoder: $2)
        },
        DecoderForm("uploadResult(for:from:decoder:progress:)") {
            await $0.uploadResult(for: $1, from: Data("sent".utf8), decoder: $2, progress: ignored)
        },
        DecoderForm("uploadResult(for:fromFile:decoder:)") { session, request, decoder in
            await TemporaryFolder().using(Data("sent".utf8)) { file in
                await session.uploadResult(for: request, fromFile: file, decoder: decoder)
            }
        },
        DecoderForm("downloadResult(for:decoder:)") { await $0.downloadResult(for: $1, decoder: $2) },
        DecoderForm("downloadResult(for:decoder:progress:)") {
            await $0.downloadResult(for: $1, decoder: $2, progress: ignored)
        },
    ]

    private static func calling(
        _ makeTask: (@escaping ResultHandler<Decoded>) -> URLSessionTask
    ) async -> Result<Decoded, NetworkError> {
        await withCheckedContinuation { continuation in
            makeTask { continuation.resume(returning: $0) }.resume()
        }
    }
}

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

extension APIForm {
    /// Forms that make no request but resume one, with data that is none.
    static let resumedDownloads = ResumedDownloadForm.all.map { form in
        APIForm(form.testDescription) { session, _, codes, delegate in
            await form.send(session, resumeData, codes, delegate)
        }
    }

    /// Forms that make no request but resume one, and are younger than the others.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    static let resumedUploads = [
        APIForm("uploadTask(withResumeData:resultHandler:)") { session, _, codes, _ in
            await calling {
                session.uploadTask(withResumeData: resumeData, accepting: codes, resultHandler: $0)
            }
        },
        APIForm("uploadResult(resumeFrom:)") { session, _, codes, delegate in
            await session.uploadResult(resumeFrom: resumeData, accepting: codes, delegate: delegate)
        },
        APIForm("uploadResult(resumeFrom:progress:)") { session, _, codes, delegate in
            await session.uploadResult(resumeFrom: resumeData, accepting: codes, delegate: delegate) { _ in }
        },
    ]

    private static let resumeData = Data("not what URLSession makes".utf8)
}

/// One way to resume a download.
struct ResumedDownloadForm: Sendable, CustomTestStringConvertible {
    typealias Send = @Sendable (URLSession, Data, Range<Int>, (any URLSessionTaskDelegate)?) async -> DataResult

    let testDescription: String
    let send: Send

    static let all = [
        ResumedDownloadForm("downloadTask(withResumeData:resultHandler:)") { session, resumeData, codes, _ in
            await APIForm.calling { handler in
                session.downloadTask(withResumeData: resumeData, accepting: codes) { handler($0.takeContents()) }
            }
        },
        ResumedDownloadForm("downloadTask(withResumeData:to:resultHandler:)") { session, resumeData, codes, _ in
            await TemporaryFolder().using { file in
                await APIForm.calling { handler in
                    session.downloadTask(withResumeData: resumeData, to: file, accepting: codes) {
                        handler($0.contents)
                    }
                }
            }
        },
        ResumedDownloadForm("downloadResult(resumeFrom:to:)") { session, resumeData, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(resumeFrom: resumeData, to: file, accepting: codes, delegate: delegate)
                    .contents
            }
        },
        ResumedDownloadForm("downloadResult(resumeFrom:to:progress:)") { session, resumeData, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(resumeFrom: resumeData, to: file, accepting: codes, delegate: delegate) {
                    _ in
                }.contents
            }
        },
        ResumedDownloadForm("downloadResponse(resumeFrom:to:progress:)") { session, resumeData, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResponse(resumeFrom: resumeData, to: file, accepting: codes, delegate: delegate) {
                    _ in
                }.flatMap { response in
                    // The file comes with the headers of the response that brought the rest, or the whole.
                    guard response.statusCode == 200 || response.header("Content-Range") != nil else {
                        return .failure(.noData)
                    }
                    return Result<URL, NetworkError>.success(response.body).contents
                }
            }
        },
    ]

    private init(_ testDescription: String, send: @escaping Send) {
        self.testDescription = testDescription
        self.send = send
    }
}

extension ResultDecoder where T == Data {
    /// The bytes as they came, by way of a decoder.
    static var bytes: Self { ResultDecoder { $0 } }
}

/// A progress handler that takes no interest.
let ignored: ProgressHandler = { _ in }

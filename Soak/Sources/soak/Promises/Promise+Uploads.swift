#if os(Linux)

import Foundation
import URLSessionResult

extension Promise {
    /// What is sent. Long enough that it is sent piece by piece.
    private static let uploadedBody = Data.blocks(64, ofSize: 1 << 16)

    static let uploads = [
        upload("data") { request, session in
            await session.uploadResult(for: request, from: uploadedBody)
        },
        upload("a file") { request, session in
            await TemporaryFolder().using(uploadedBody) { file in
                await session.uploadResult(for: request, fromFile: file)
            }
        },
        upload("a stream") { request, session in
            var request = request
            request.httpBodyStream = InputStream(data: uploadedBody)
            return await session.dataResult(for: request)
        },
        upload("a pipe") { request, session in
            let folder = TemporaryFolder()
            let result = await session.uploadResult(for: request, fromFile: folder.pipe(giving: uploadedBody))
            withExtendedLifetime(folder) {}
            return result
        },
    ]

    private static func upload(
        _ name: String, send: @escaping @Sendable (URLRequest, URLSession) async -> DataResult
    ) -> Promise {
        Promise("an upload arrives whole: \(name)") {
            let server = try LoopbackServer { request, connection in
                try connection.respond(request.body == uploadedBody ? 200 : 400)
            }
            _ = try await send(URLRequest(url: server.url(), method: .put), URLSession(configuration: .forTests)).get()
        }
    }
}

#endif

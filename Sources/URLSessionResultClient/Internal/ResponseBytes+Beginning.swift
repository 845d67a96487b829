import Foundation
internal import URLSessionResultTransport

extension ResponseBytes {
    /// The first bytes, or what arrives of them in two seconds, as of the body of an error response.
    func beginning() async -> Data {
        let beginning = Locked(Data())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var chunks = chunks.makeAsyncIterator()
                // An error ends the body, and what came before it counts.
                while let chunk = try? await chunks.next() {
                    let isEnough = beginning.withLock { $0.keep(chunk) }
                    if isEnough { break }
                }
            }
            group.addTask { try? await Task.sleep(seconds: 2) }
            await group.next()
            group.cancelAll()
        }
        return beginning.withLock { $0 }
    }
}

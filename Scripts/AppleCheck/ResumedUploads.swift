// Stands for what Foundation has on Apple's platforms alone, so that the code written for them compiles on Linux.

import Foundation
import FoundationNetworking

extension URLSession {
    func uploadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        uploadTask(with: URLRequest(url: URL(fileURLWithPath: "/")), from: Data(), completionHandler: completionHandler)
    }
}

#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// The serial queue on which FoundationNetworking starts, completes and cancels the tasks of all sessions.
///
/// The queue is private. But `URLSessionTask.resume()` holds it while it asks a `URLProtocol` whether it loads the request
/// (`URLSessionTask._getProtocol(_:)`). So code that needs the queue runs as a part of that question.
enum WorkQueue {
    /// Runs a function while no task of any session is started, completed or cancelled.
    ///
    /// - Parameter work: A function that does not wait for the queue. Most methods of a task do, for example `cancel()`.
    /// - Returns: The result of the function.
    static func hold<T: Sendable>(_ work: @escaping @Sendable () -> T) -> T {
        let result = Locked<T?>(nil)
        let question = QuestionProtocol.prepareQuestion { result.withLock { $0 = work() } }
        session.dataTask(with: question).resume()
        return result.withLock { $0 } ?? work()
    }

    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [QuestionProtocol.self]
        // A cache would be searched after the question, on another thread.
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()
}

/// Runs a function when it is asked whether it loads a request. It never loads one.
private final class QuestionProtocol: URLProtocol {
    private static let functions = Locked<[String: @Sendable () -> Void]>([:])
    private static let keyField = "Key"

    /// Makes a request that runs a function when this class is asked about it.
    static func prepareQuestion(_ function: @escaping @Sendable () -> Void) -> URLRequest {
        let key = UUID().uuidString
        functions.withLock { $0[key] = function }
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.setValue(key, forHTTPHeaderField: keyField)
        return request
    }

    override class func canInit(with request: URLRequest) -> Bool {
        let key = request.value(forHTTPHeaderField: keyField) ?? ""
        let function = functions.withLock { $0.removeValue(forKey: key) }
        function?()
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        client?.urlProtocol(self, didFailWithError: URLError(.cancelled))
    }

    override func stopLoading() {}
}

#endif

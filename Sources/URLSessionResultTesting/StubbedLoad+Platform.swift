import Foundation
internal import URLSessionResultTransport

#if canImport(FoundationNetworking)

/// The work queue of FoundationNetworking, where tasks are cancelled. A load that ended on another thread might meet a
/// cancellation, and crash.
struct LoadingThread: Sendable {
    func perform(_ work: @escaping @Sendable () -> Void) { onWorkQueue(work) }
}

/// What FoundationNetworking does not show to a `URLProtocol`, and Apple's URLSession does, or need not.
extension StubbedLoad {
    /// The error for a task that cannot be answered. FoundationNetworking crashes for a download task with a delegate, and makes no
    /// file for one with a handler. URLSessionResult makes the files of its own download tasks.
    var reasonToRefuse: URLError? {
        guard task is URLSessionDownloadTask, !(task is any CallersTask) else { return nil }
        return URLError(
            .cannotCreateFile,
            "On Linux, URLSession makes no file of what a stub answers. Use a download of URLSessionResult.")
    }

    /// `wholeRequest` has them.
    var showsFieldsOfConfiguration: Bool { true }

    /// Asks the delegate about a redirect. For a task of URLSessionResult, the library asks. For any other task this does what
    /// FoundationNetworking does over HTTP, because telling FoundationNetworking about the redirect crashes.
    func askAboutRedirect(_ response: HTTPURLResponse, of request: URLRequest, to next: URLRequest) {
        if task is any CallersTask {
            sayNoMore()
            var next = next
            // The stub has read the stream into `httpBody`. With the stream, the library asks for another one.
            if next.httpBody != nil, let stream = self.request.httpBodyStream { next.httpBodyStream = stream }
            client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
            return
        }
        guard let task, let session, let delegate = task.delegate else { return follow(next) }
        let reply = Reply(to: self)
        session.delegateQueue.addOperation {
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: next
            ) { decision in
                reply.perform { load in
                    if let decision {
                        load.follow(load.withFieldsOfSession(decision))
                    } else {
                        load.stop(at: response, of: request)
                    }
                }
            }
        }
    }

    /// The request with the fields of the session's configuration, and the body of an upload.
    var wholeRequest: URLRequest {
        var request = withFieldsOfSession(request)
        // URLSession ignores the body of the request of an upload.
        let isUpload = task is URLSessionUploadTask && !(task is any CallersTask)
        guard isUpload || request.httpBody == nil && request.httpBodyStream == nil, let task,
            let body = property("knownBody", of: task), let content = Mirror(reflecting: body).children.first?.value
        else { return request }
        switch content {
        case let data as DispatchData: request.httpBody = Data(data)
        case let file as URL: request.httpBody = try? Data(contentsOf: file)
        default: break
        }
        return request
    }

    private func withFieldsOfSession(_ request: URLRequest) -> URLRequest {
        var request = request
        for case (let name as String, let value as String) in session?.configuration.httpAdditionalHeaders ?? [:]
        where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// Whether the task has a delegate that is told each piece of the body. One with a completion handler would get the last
    /// piece alone.
    var takesPieces: Bool {
        if task is any CallersTask { return true }
        guard let task, let registry = session.flatMap({ property("taskRegistry", of: $0) }),
            let behaviours = property("behaviours", of: registry) as? [Int: Any],
            let behaviour = behaviours[task.taskIdentifier]
        else { return false }
        return "\(behaviour)" == "callDelegate"
    }

    /// The session of the task.
    private var session: URLSession? {
        task.flatMap { property("session", of: $0) } as? URLSession
    }

    /// The value of a private property.
    private func property(_ name: String, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror {
            if let property = level.children.first(where: { $0.label == name }) {
                let value = Mirror(reflecting: property.value)
                return value.displayStyle == .optional ? value.children.first?.value : property.value
            }
            mirror = level.superclassMirror
        }
        return nil
    }
}

#else

/// The thread of a load. A `URLProtocol` answers there:
/// https://developer.apple.com/library/archive/samplecode/CustomHTTPProtocol/
///
/// Unchecked, because the compiler need not know that the functions of a run loop that are called here may be called on any thread.
struct LoadingThread: @unchecked Sendable {
    private let runLoop = CFRunLoopGetCurrent()

    func perform(_ work: @escaping @Sendable () -> Void) {
        CFRunLoopPerformBlock(runLoop, CFRunLoopMode.defaultMode.rawValue, work)
        CFRunLoopWakeUp(runLoop)
    }
}

extension StubbedLoad {
    var reasonToRefuse: URLError? { nil }
    var wholeRequest: URLRequest { request }
    var takesPieces: Bool { true }

    /// Reported there, and not tried here: https://github.com/AliSoftware/OHHTTPStubs/issues/82
    var showsFieldsOfConfiguration: Bool { false }

    /// Tells the system about a redirect. It asks the delegate, and loads the next request with another load.
    ///
    /// If the delegate stops the redirect, the task takes the response of this load, but the system does not tell the load so. So
    /// the load gives the redirect and the response at once. If the redirect is followed, the system drops the response with this
    /// load:
    /// https://github.com/AliSoftware/OHHTTPStubs/pull/175
    func askAboutRedirect(_ response: HTTPURLResponse, of request: URLRequest, to next: URLRequest) {
        var next = next
        // The next load finds its server by this field.
        next.setValue(
            self.request.value(forHTTPHeaderField: StubbedServer.field), forHTTPHeaderField: StubbedServer.field)
        client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
        stop(at: response, of: request)
    }
}

#endif

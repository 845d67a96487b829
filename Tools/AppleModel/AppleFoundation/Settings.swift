/// What nobody knows of Apple's URLSession. A variable of the environment lets the model behave in the other way.
enum Settings {
    /// `finishTasksAndInvalidate()` does not wait for tasks that were never resumed, which never run then. Evidence: `getAllTasks`
    /// leaves them out, rdar://28608776.
    static let forgetsUnresumedTasks = isSet("MODEL_FORGETS_UNRESUMED")

    /// A task that was cancelled and never resumed raises an exception for a delegate, as one that was resumed does.
    static let refusesLateDelegates = isSet("MODEL_REFUSES_LATE_DELEGATES")

    /// A suspended task times out. Evidence: AFNetworking, issue 3945; Alamofire, issue 2283.
    static let timesOutSuspendedTasks = isSet("MODEL_TIMES_OUT_SUSPENDED")

    /// A `URLProtocol` does not see `httpAdditionalHeaders`. Evidence: OHHTTPStubs, issue 82.
    static let hidesAdditionalHeaders = isSet("MODEL_HIDES_HEADERS")

    private static func isSet(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name] != nil }
}

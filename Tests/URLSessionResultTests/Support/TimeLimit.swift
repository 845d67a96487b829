import Testing

/// Ends a test that hangs, on the versions of Apple's systems on which the testing library can.
///
/// A test takes seconds. On Linux, the limit leaves room for a sanitizer on a busy machine.
var timeLimit: any SuiteTrait {
    guard #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) else { return ConditionTrait.enabled(if: true) }
    #if os(Linux)
    return TimeLimitTrait.timeLimit(.minutes(5))
    #else
    return TimeLimitTrait.timeLimit(.minutes(1))
    #endif
}

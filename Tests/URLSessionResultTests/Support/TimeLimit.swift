import Testing

/// Ends tests that hang, on the versions of Apple's systems on which the testing library can.
func limit(minutes: Int) -> any SuiteTrait {
    guard #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) else { return ConditionTrait.enabled(if: true) }
    return TimeLimitTrait.timeLimit(.minutes(minutes))
}

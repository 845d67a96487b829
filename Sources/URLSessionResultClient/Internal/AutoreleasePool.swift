#if !canImport(Darwin)
/// Calls a function.
///
/// On Apple's platforms, the function of this name releases what Foundation keeps for its caller, such as the bytes that a loop has read.
func autoreleasepool<Success>(invoking body: () throws -> Success) rethrows -> Success { try body() }
#endif

import Foundation

func secondsSinceStart() -> TimeInterval {
    ProcessInfo.processInfo.systemUptime  // fault
}

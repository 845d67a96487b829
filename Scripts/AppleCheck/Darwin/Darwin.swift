// Darwin: the C library, as the Swift compiler imports its headers. A pointer without nullability is imported with `!`.
// Source: the manual pages of sections 2 and 3,
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS

public var errno: Int32 { get set }
public var EINTR: Int32 { get }

public func pow(_ base: Double, _ exponent: Double) -> Double

public func memchr(_ bytes: UnsafeRawPointer!, _ byte: Int32, _ count: Int) -> UnsafeMutableRawPointer!
public func memcmp(_ left: UnsafeRawPointer!, _ right: UnsafeRawPointer!, _ count: Int) -> Int32
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>!

@discardableResult
public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32
@discardableResult
public func mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32
@discardableResult
public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32
@discardableResult
public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32
public func getuid() -> uid_t
@discardableResult
public func close(_ descriptor: Int32) -> Int32
@discardableResult
public func usleep(_ microseconds: useconds_t) -> Int32
public typealias useconds_t = UInt32
public typealias mode_t = UInt16
public typealias uid_t = UInt32

public func sysconf(_ name: Int32) -> Int
public var _SC_PAGESIZE: Int32 { get }

@discardableResult
public func signal(_ signal: Int32, _ handler: (@convention(c) (Int32) -> Void)!) -> (@convention(c) (Int32) -> Void)!
public var SIGPIPE: Int32 { get }
public var SIG_IGN: @convention(c) (Int32) -> Void { get }

public typealias rlim_t = UInt64
public struct rlimit {
    public init()
    public var rlim_cur: rlim_t
    public var rlim_max: rlim_t
}
@discardableResult
public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32
@discardableResult
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32
public var RLIMIT_NOFILE: Int32 { get }
public var OPEN_MAX: Int32 { get }

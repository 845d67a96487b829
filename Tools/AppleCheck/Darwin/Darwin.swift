// Darwin: the C library, as the Swift compiler imports its headers. A pointer without nullability is imported with `!`.
// Source: the manual pages of sections 2 and 3,
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS

public var errno: Int32 { get set }

public func memchr(_ bytes: UnsafeRawPointer!, _ byte: Int32, _ count: Int) -> UnsafeMutableRawPointer!
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>!

@discardableResult
public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32

public var W_OK: Int32 { get }
public var X_OK: Int32 { get }

public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32

public func readlink(_ path: UnsafePointer<CChar>!, _ text: UnsafeMutablePointer<CChar>!, _ size: Int) -> Int
public var EINVAL: Int32 { get }

@discardableResult
public func unlink(_ path: UnsafePointer<CChar>!) -> Int32

// Variadic in C. Source: https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/Platform.swift
public typealias mode_t = UInt16
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32
public var O_RDWR: Int32 { get }
public var O_CREAT: Int32 { get }
public var O_EXCL: Int32 { get }
public var O_NOFOLLOW: Int32 { get }
public var O_CLOEXEC: Int32 { get }

public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32
public var LOCK_EX: Int32 { get }
public var LOCK_NB: Int32 { get }
public var EWOULDBLOCK: Int32 { get }
public var EINTR: Int32 { get }
public var ENOLCK: Int32 { get }
public var ENOTSUP: Int32 { get }
public var EOPNOTSUPP: Int32 { get }
public var ENOSYS: Int32 { get }

public var O_RDONLY: Int32 { get }
public var O_NONBLOCK: Int32 { get }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32
public func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int) -> Int
public func pipe(_ descriptors: UnsafeMutablePointer<Int32>!) -> Int32
// Variadic in C, as `open`.
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32
public var F_SETFD: Int32 { get }
public var FD_CLOEXEC: Int32 { get }

public struct pollfd {
    public init(fd: Int32, events: Int16, revents: Int16)
    public var revents: Int16
}
public typealias nfds_t = UInt32
public func poll(_ descriptors: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ milliseconds: Int32) -> Int32
public var POLLIN: Int32 { get }

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

// Of `<sys/stat.h>`, as much as is used.
public typealias mode_t = UInt16

public struct stat {
    public var st_mode: mode_t

    public init()
}

public var AT_FDCWD: Int32 { get }
public var AT_SYMLINK_NOFOLLOW: Int32 { get }

public func fstatat(
    _ folder: Int32, _ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!, _ flags: Int32
) -> Int32

@discardableResult
public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32

public var S_IFMT: mode_t { get }
public var S_IFREG: mode_t { get }

public var O_WRONLY: Int32 { get }
public var O_CREAT: Int32 { get }
public var O_EXCL: Int32 { get }
public var O_CLOEXEC: Int32 { get }

// The overlay has this one, because the function takes a variable number of arguments:
// https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/Platform.swift
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32

@discardableResult
public func close(_ descriptor: Int32) -> Int32

@discardableResult
public func unlink(_ path: UnsafePointer<CChar>!) -> Int32

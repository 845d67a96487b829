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

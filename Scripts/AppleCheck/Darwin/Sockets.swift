// The sockets of the tests' server. Source: `man 2 socket`, `man 4 inet`, and <sys/socket.h>, <netinet/in.h>.

public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32

public struct sockaddr {
    public init()
    public var sa_len: UInt8
    public var sa_family: sa_family_t
}
public struct in_addr {
    public init()
    public var s_addr: in_addr_t
}
public struct sockaddr_in {
    public init()
    public var sin_len: UInt8
    public var sin_family: sa_family_t
    public var sin_port: in_port_t
    public var sin_addr: in_addr
}
public struct linger: BitwiseCopyable {
    public init(l_onoff: Int32, l_linger: Int32)
    public var l_onoff: Int32
    public var l_linger: Int32
}

@discardableResult
public func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32
@discardableResult
public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32
@discardableResult
public func listen(_ socket: Int32, _ backlog: Int32) -> Int32
@discardableResult
public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32
@discardableResult
public func accept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32
@discardableResult
public func getsockname(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32
@discardableResult
public func setsockopt(
    _ socket: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeRawPointer!, _ length: socklen_t
) -> Int32
@discardableResult
public func send(_ socket: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int
@discardableResult
public func recv(_ socket: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32) -> Int
@discardableResult
public func shutdown(_ socket: Int32, _ how: Int32) -> Int32

public var AF_INET: Int32 { get }
public var SOCK_STREAM: Int32 { get }
public var SOL_SOCKET: Int32 { get }
public var SO_LINGER: Int32 { get }
public var SO_NOSIGPIPE: Int32 { get }
public var IPPROTO_TCP: Int32 { get }
public var TCP_NODELAY: Int32 { get }
public var SHUT_RDWR: Int32 { get }

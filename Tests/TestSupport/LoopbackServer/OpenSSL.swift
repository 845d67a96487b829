#if os(Linux)

import Foundation

/// The functions of OpenSSL 3 that a TLS server needs.
///
/// They are loaded from the library that libcurl, and so FoundationNetworking, has brought into the process: the package
/// gets TLS for its tests without a dependency.
struct OpenSSL: Sendable {
    typealias Pointer = OpaquePointer

    // SSL_CTX: what the connections of a server share.
    let newContext: @Sendable @convention(c) (_ method: Pointer?) -> Pointer?
    let freeContext: @Sendable @convention(c) (_ context: Pointer?) -> Void
    let serverMethod: @Sendable @convention(c) () -> Pointer?
    let useCertificateFile: @Sendable @convention(c) (_ context: Pointer?, _ path: UnsafePointer<CChar>) -> Int32
    let usePrivateKeyFile:
        @Sendable @convention(c) (_ context: Pointer?, _ path: UnsafePointer<CChar>, _ format: Int32) -> Int32
    /// Says whether clients are asked for a certificate.
    let setVerification: @Sendable @convention(c) (_ context: Pointer?, _ mode: Int32, UnsafeRawPointer?) -> Void
    /// Gives the authorities of clients' certificates.
    let loadAuthorities:
        @Sendable @convention(c) (
            _ context: Pointer?, _ file: UnsafePointer<CChar>?, _ folder: UnsafePointer<CChar>?
        ) -> Int32
    /// Gives the function that chooses among the protocols that a client offers (ALPN), and a pointer that it gets.
    let setProtocolChoice:
        @Sendable @convention(c) (_ context: Pointer?, _ choose: ProtocolChoice, UnsafeRawPointer?) -> Void

    /// Its parameters are the connection, the chosen protocol and its length, the offered ones and their length, and the pointer.
    typealias ProtocolChoice =
        @convention(c) (
            Pointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?,
            UInt32, UnsafeRawPointer?
        ) -> Int32

    // SSL: one connection.
    let newConnection: @Sendable @convention(c) (_ context: Pointer?) -> Pointer?
    let freeConnection: @Sendable @convention(c) (_ connection: Pointer?) -> Void
    let setBuffers:
        @Sendable @convention(c) (_ connection: Pointer?, _ incoming: Pointer?, _ outgoing: Pointer?) -> Void
    let accept: @Sendable @convention(c) (_ connection: Pointer?) -> Int32
    let read:
        @Sendable @convention(c) (_ connection: Pointer?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32) -> Int32
    let write: @Sendable @convention(c) (_ connection: Pointer?, _ bytes: UnsafeRawPointer?, _ count: Int32) -> Int32
    let shutDown: @Sendable @convention(c) (_ connection: Pointer?) -> Int32
    let error: @Sendable @convention(c) (_ connection: Pointer?, _ result: Int32) -> Int32
    /// Errors are kept for each thread, and one that is left there is taken for that of the next call.
    let clearErrors: @Sendable @convention(c) () -> Void

    // BIO: bytes in memory, before they are decrypted and after they are encrypted.
    let newBuffer: @Sendable @convention(c) (_ method: Pointer?) -> Pointer?
    let memoryMethod: @Sendable @convention(c) () -> Pointer?
    let readBuffer:
        @Sendable @convention(c) (_ buffer: Pointer?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32) -> Int32
    let writeBuffer: @Sendable @convention(c) (_ buffer: Pointer?, _ bytes: UnsafeRawPointer?, _ count: Int32) -> Int32

    // EVP: the hashes of Digest.
    private let hash:
        @Sendable @convention(c) (
            UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?, Pointer?, Pointer?
        ) -> Int32
    private let md5: @Sendable @convention(c) () -> Pointer?
    private let sha256: @Sendable @convention(c) () -> Pointer?

    struct Failure: Error {
        let reason: String
    }

    static let shared = Result { try OpenSSL(library: "libssl.so.3") }

    private init(library name: String) throws {
        guard let library = dlopen(name, RTLD_NOW) else { throw Failure(reason: "\(name) is not installed") }
        // The symbols of libcrypto, on which libssl depends, are found by way of it.
        func symbol<Function>(_ name: String) throws -> Function {
            guard let address = dlsym(library, name) else { throw Failure(reason: "OpenSSL has no \(name)") }
            return unsafeBitCast(address, to: Function.self)
        }
        newContext = try symbol("SSL_CTX_new")
        freeContext = try symbol("SSL_CTX_free")
        serverMethod = try symbol("TLS_server_method")
        useCertificateFile = try symbol("SSL_CTX_use_certificate_chain_file")
        usePrivateKeyFile = try symbol("SSL_CTX_use_PrivateKey_file")
        setVerification = try symbol("SSL_CTX_set_verify")
        loadAuthorities = try symbol("SSL_CTX_load_verify_locations")
        setProtocolChoice = try symbol("SSL_CTX_set_alpn_select_cb")
        newConnection = try symbol("SSL_new")
        freeConnection = try symbol("SSL_free")
        setBuffers = try symbol("SSL_set_bio")
        accept = try symbol("SSL_accept")
        read = try symbol("SSL_read")
        write = try symbol("SSL_write")
        shutDown = try symbol("SSL_shutdown")
        error = try symbol("SSL_get_error")
        clearErrors = try symbol("ERR_clear_error")
        newBuffer = try symbol("BIO_new")
        memoryMethod = try symbol("BIO_s_mem")
        readBuffer = try symbol("BIO_read")
        writeBuffer = try symbol("BIO_write")
        hash = try symbol("EVP_Digest")
        md5 = try symbol("EVP_md5")
        sha256 = try symbol("EVP_sha256")
    }

    /// The MD5 of bytes, or else their SHA-256.
    func digest(of bytes: Data, isMD5: Bool) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        _ = bytes.withUnsafeBytes { hash($0.baseAddress, $0.count, &digest, &count, isMD5 ? md5() : sha256(), nil) }
        return Array(digest.prefix(Int(count)))
    }
}

#endif

#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// The functions of the libcurl that the process has loaded.
///
/// They are found by name, so that no header and no linker flag is needed. The numbers are those of curl.h, and never change.
struct Curl: Sendable {
    /// Nil where libcurl cannot be called: the program cannot find a function, because it has no dynamic linker, or the system has no
    /// `epoll`. FoundationNetworking loads everything then.
    static let loaded = Curl()

    /// The library with the libcurl of FoundationNetworking, which may not be the only one of the process. Where FoundationNetworking is
    /// linked statically, libcurl is the program's.
    private static var library: SystemCalls.Library? {
        let libraries = [.loaded("libFoundationNetworking.so"), .program, SystemCalls.Library.loaded("libcurl.so.4")]
        return libraries.lazy.compactMap { $0 }.first { $0.has("curl_easy_init") }
    }

    /// A `CURL *`, a `CURLM *`, or an `SSL *`.
    typealias Handle = UnsafeMutableRawPointer
    typealias List = UnsafeMutableRawPointer

    // `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt` take a variable number of arguments. On Linux and Android, these
    // are passed as if they were declared.
    let makeEasy: @convention(c) () -> Handle?
    let freeEasy: @convention(c) (Handle) -> Void
    private let setPointer: @convention(c) (Handle, CInt, UnsafeRawPointer?) -> CInt
    private let setNumber: @convention(c) (Handle, CInt, Int64) -> CInt
    private let getNumber: @convention(c) (Handle, CInt, UnsafeMutablePointer<Int>) -> CInt
    private let getPointer: @convention(c) (Handle, CInt, UnsafeMutablePointer<UnsafePointer<CChar>?>) -> CInt
    private let setPause: @convention(c) (Handle, CInt) -> CInt
    private let describe: @convention(c) (CInt) -> UnsafePointer<CChar>?

    let makeMulti: @convention(c) () -> Handle?
    private let freeMulti: @convention(c) (Handle) -> CInt
    let add: @convention(c) (_ multi: Handle, _ easy: Handle) -> CInt
    let remove: @convention(c) (_ multi: Handle, _ easy: Handle) -> CInt
    let performSocketAction:
        @convention(c) (_ multi: Handle, _ socket: CInt, _ events: CInt, UnsafeMutablePointer<CInt>) -> CInt
    let readMessage: @convention(c) (_ multi: Handle, UnsafeMutablePointer<CInt>) -> UnsafeRawPointer?
    private let setPointerOfMulti: @convention(c) (Handle, CInt, UnsafeRawPointer?) -> CInt
    private let setNumberOfMulti: @convention(c) (Handle, CInt, Int) -> CInt

    let append: @convention(c) (List?, UnsafePointer<CChar>) -> List?
    let freeList: @convention(c) (List?) -> Void

    private let makeURL: @convention(c) () -> Handle?
    private let freeURL: @convention(c) (Handle) -> Void
    private let setPartOfURL: @convention(c) (Handle, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
    private let getPartOfURL:
        @convention(c) (Handle, CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, CUnsignedInt) -> CInt
    private let freeText: @convention(c) (UnsafeMutablePointer<CChar>?) -> Void

    /// `SSL_get0_alpn_selected` of OpenSSL. Nil if libcurl has another TLS.
    private var getProtocol:
        (
            @convention(c) (
                Handle, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<CUnsignedInt>
            ) -> Void
        )?

    /// Such as `8.14.1`.
    let version: String

    /// What it does otherwise than the newest.
    private(set) var differences = LibcurlDifferences()

    /// The content encodings that it decodes.
    let encodings: Set<String>

    private init?() {
        // FoundationNetworking has initialized libcurl when there is a session. Initializing it a second time only raises its counter.
        _ = URLSession.shared
        // The layout of what libcurl gives and takes is that of 64 bits.
        guard MemoryLayout<Int>.size == 8, SystemCalls.Poll.isSupported, let library = Self.library else { return nil }
        do {
            makeEasy = try library.function("curl_easy_init")
            freeEasy = try library.function("curl_easy_cleanup")
            setPointer = try library.function("curl_easy_setopt")
            setNumber = try library.function("curl_easy_setopt")
            getNumber = try library.function("curl_easy_getinfo")
            getPointer = try library.function("curl_easy_getinfo")
            setPause = try library.function("curl_easy_pause")
            describe = try library.function("curl_easy_strerror")
            makeMulti = try library.function("curl_multi_init")
            freeMulti = try library.function("curl_multi_cleanup")
            add = try library.function("curl_multi_add_handle")
            remove = try library.function("curl_multi_remove_handle")
            performSocketAction = try library.function("curl_multi_socket_action")
            readMessage = try library.function("curl_multi_info_read")
            setPointerOfMulti = try library.function("curl_multi_setopt")
            setNumberOfMulti = try library.function("curl_multi_setopt")
            append = try library.function("curl_slist_append")
            freeList = try library.function("curl_slist_free_all")
            makeURL = try library.function("curl_url")
            freeURL = try library.function("curl_url_cleanup")
            setPartOfURL = try library.function("curl_url_set")
            getPartOfURL = try library.function("curl_url_get")
            freeText = try library.function("curl_free")
            getProtocol = try? library.function("SSL_get0_alpn_selected")
            let initialize: @convention(c) (Int) -> CInt = try library.function("curl_global_init")
            let getVersion: @convention(c) (CInt) -> UnsafeRawPointer? = try library.function("curl_version_info")
            // CURL_GLOBAL_DEFAULT
            guard initialize(3) == 0, let information = getVersion(0) else { return nil }
            (version, encodings) = Self.read(information)
        } catch {
            return nil
        }
        guard let easy = makeEasy() else { return nil }
        defer { freeEasy(easy) }
        differences = LibcurlDifferences(version: version) { set($0, of: easy, to: nil as UnsafeRawPointer?) }
        if tls(of: easy)?.isOpenSSL != true { getProtocol = nil }
    }

    /// This libcurl, used as one that does other things differently.
    func used(with differences: LibcurlDifferences) -> Curl {
        var curl = self
        curl.differences = differences
        return curl
    }

    /// Reads `curl_version_info_data`: its age, the version as text and as a number, the host, and the features.
    private static func read(_ information: UnsafeRawPointer) -> (version: String, encodings: Set<String>) {
        let text = information.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
        let features = information.load(fromByteOffset: 32, as: CInt.self)
        var encodings: Set = ["identity", "none", "chunked"]
        if features & 1 << 3 != 0 { encodings.formUnion(["deflate", "gzip", "x-gzip"]) }
        if features & 1 << 23 != 0 { encodings.insert("br") }
        if features & 1 << 26 != 0 { encodings.insert("zstd") }
        return (text.map { String(cString: $0) } ?? "", encodings)
    }
}

// MARK: - Transfers

extension Curl {
    /// An option of a transfer (`CURLOPT_…`).
    enum Option: CInt {
        case writeData = 10_001
        case url = 10_002
        case proxy = 10_004
        case readData = 10_009
        case errorBuffer = 10_010
        case writeFunction = 20_011
        case readFunction = 20_012
        case header = 10_023
        case headerData = 10_029
        case customRequest = 10_036
        case noProgress = 43
        case noBody = 44
        case upload = 46
        case mostRedirects = 68
        case authorities = 10_065  // CAINFO
        case folderOfAuthorities = 10_097  // CAPATH
        case proxyAuthorities = 10_246  // PROXY_CAINFO
        case proxyFolderOfAuthorities = 10_247  // PROXY_CAPATH
        case freshConnect = 74
        case httpVersion = 84
        case forbidReuse = 75
        case millisecondsToConnect = 156
        case bufferSize = 98
        case headerFunction = 20_079
        case noSignal = 99
        case acceptEncoding = 10_102
        case authentication = 107  // HTTPAUTH
        case proxyAuthentication = 111  // PROXYAUTH
        case lengthOfUpload = 30_115  // INFILESIZE_LARGE
        case openSocketFunction = 20_163
        case seekFunction = 20_167
        case noProxy = 10_177
        case seekData = 10_168
        case user = 10_173
        case password = 10_174
        case protocols = 181
        case clientCertificate = 40_291  // SSLCERT_BLOB
        case clientKey = 40_292  // SSLKEY_BLOB
        case clientKeyPassword = 10_026  // KEYPASSWD
        case pinnedPublicKey = 10_230
        case suppressConnectHeaders = 265
        case resolverStartFunction = 20_272
        case resolverStartData = 10_273
        case prereqFunction = 20_312  // from 7.80 on
        case prereqData = 10_313
        case quickExit = 322  // from 7.87 on
    }

    /// Sets an option, which keeps no pointer to a text. libcurl refuses an option that it does not know, and nothing changes.
    @discardableResult
    func set(_ option: Option, of easy: Handle, to pointer: UnsafeRawPointer?) -> Bool {
        setPointer(easy, option.rawValue, pointer) == 0
    }

    @discardableResult
    func set(_ option: Option, of easy: Handle, to number: Int64) -> Bool {
        setNumber(easy, option.rawValue, number) == 0
    }

    /// `curl_blob`.
    private struct Blob {
        let bytes: UnsafeRawPointer?
        let count: Int

        /// CURL_BLOB_COPY
        let flags: CUnsignedInt = 1
    }

    func set(_ option: Option, of easy: Handle, to data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            withUnsafePointer(to: Blob(bytes: bytes.baseAddress, count: bytes.count)) { set(option, of: easy, to: $0) }
        }
    }

    /// What libcurl knows of a transfer (`CURLINFO_…`).
    enum Information: CInt {
        case verifyResult = 0x20_000D
        case connectCode = 0x20_0016  // the status code of a proxy's answer to CONNECT
        case proxyAuthentications = 0x20_0018  // PROXYAUTH_AVAIL: what the proxy offers
        case errorNumber = 0x20_0019  // OS_ERRNO
        case authorities = 0x10_003D  // CAINFO, from 7.84 on
        case tls = 0x40_002D  // TLS_SSL_PTR
        case countOfNewConnections = 0x20_001A  // NUM_CONNECTS
        case port = 0x20_0028  // PRIMARY_PORT
        case httpVersion = 0x20_002E
        case address = 0x10_0020  // PRIMARY_IP
        case countOfBytesSent = 0x60_0007  // SIZE_UPLOAD_T
        case countOfBytesReceived = 0x60_0008  // SIZE_DOWNLOAD_T, before they are decoded
        case lengthOfResponse = 0x60_000F  // CONTENT_LENGTH_DOWNLOAD_T, or -1

        // In microseconds since the transfer began, or 0 until it has got there.
        case timeOfEnd = 0x60_0032  // TOTAL_TIME_T
        case timeOfLookUp = 0x60_0033  // NAMELOOKUP_TIME_T
        case timeOfConnection = 0x60_0034  // CONNECT_TIME_T
        case timeOfRequest = 0x60_0035  // PRETRANSFER_TIME_T
        case timeOfFirstByte = 0x60_0036  // STARTTRANSFER_TIME_T
        case timeOfHandshake = 0x60_0038  // APPCONNECT_TIME_T
        case timeOfQueue = 0x60_0041  // QUEUE_TIME_T, from 8.6 on
    }

    func get(_ information: Information, of easy: Handle) -> Int? {
        var number = 0
        return getNumber(easy, information.rawValue, &number) == 0 ? number : nil
    }

    func getText(_ information: Information, of easy: Handle) -> String? {
        var text: UnsafePointer<CChar>?
        return getPointer(easy, information.rawValue, &text) == 0 ? text.map { String(cString: $0) } : nil
    }

    /// The library for TLS, and what it has of the connection that a transfer uses now (`curl_tlssessioninfo`).
    private func tls(of easy: Handle) -> (isOpenSSL: Bool, connection: Handle?)? {
        var information: UnsafePointer<CChar>?
        guard getPointer(easy, Information.tls.rawValue, &information) == 0, let information else { return nil }
        let raw = UnsafeRawPointer(information)
        // CURLSSLBACKEND_OPENSSL
        return (raw.load(as: CInt.self) == 1, raw.load(fromByteOffset: 8, as: Handle?.self))
    }

    /// The connection that a transfer uses now, if it is one over TLS.
    func tlsConnection(of easy: Handle) -> Handle? { tls(of: easy)?.connection }

    /// Whether a connection was made for HTTP/2 (ALPN, RFC 7301).
    func speaksHTTP2(_ tlsConnection: Handle) -> Bool {
        var name: UnsafePointer<UInt8>?
        var length: CUnsignedInt = 0
        getProtocol?(tlsConnection, &name, &length)
        return UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual("h2".utf8)
    }

    /// Whether requests may share a connection of HTTP/2. Not if one of them might be put on a connection of HTTP/1.1, and that would not be
    /// noticed before it is sent.
    var multiplexes: Bool { !differences.sharesHTTP1 || differences.asksBeforeRequest && getProtocol != nil }

    /// Pauses the directions that are true, and continues the others. libcurl may call the functions of the transfer meanwhile.
    ///
    /// - Returns: What is wrong with the transfer. From 8.13 on, libcurl says nowhere else that it cannot decode what it
    ///   had kept.
    func pause(_ easy: Handle, receiving: Bool, sending: Bool) -> CurlCode {
        let code = CurlCode(rawValue: setPause(easy, (receiving ? 1 : 0) | (sending ? 4 : 0)))
        // There is no connection to pause.
        return code == .badFunctionArgument ? .ok : code
    }

    func description(of code: CurlCode) -> String { describe(code.rawValue).map { String(cString: $0) } ?? "" }

    /// Whether libcurl finds in a URL the host that Foundation finds there. Otherwise libcurl would connect to one host with the cookies,
    /// credentials and TLS settings of another.
    func agrees(with url: URL, _ text: String) -> Bool {
        guard let host = url.host, let scheme = url.scheme else { return false }
        // Behind such a host, a port, a path or a query cannot make another host of it.
        let beginning = "\(scheme)://\(host)"
        if text.hasPrefix(beginning), host.utf8.allSatisfy(\.isPlainInHost) {
            var rest = text.utf8.dropFirst(beginning.utf8.count)
            if rest.first == UInt8(ascii: ":") { rest = rest.dropFirst().drop { $0 &- UInt8(ascii: "0") < 10 } }
            if rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") { return true }
        }
        guard let parsed = makeURL() else { return false }
        defer { freeURL(parsed) }
        var part: UnsafeMutablePointer<CChar>?
        guard setPartOfURL(parsed, 0, text, 0) == 0, getPartOfURL(parsed, 5, &part, 0) == 0, let part else {
            return false
        }
        defer { freeText(part) }
        return CanonicalHost(String(cString: part)) == CanonicalHost(host)
    }
}

extension UInt8 {
    fileprivate var isPlainInHost: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
    }
}

// MARK: - Connections

extension Curl {
    /// An option of connections (`CURLMOPT_…`).
    enum MultiOption: CInt {
        case socketFunction = 20_001
        case socketData = 10_002
        case pipelining = 3
        case timerFunction = 20_004
        case timerData = 10_005
        case maxHostConnections = 7
        case quickExit = 21  // from 8.20 on
    }

    func set(_ option: MultiOption, ofMulti multi: Handle, to pointer: UnsafeRawPointer?) {
        _ = setPointerOfMulti(multi, option.rawValue, pointer)
    }

    func set(_ option: MultiOption, ofMulti multi: Handle, to number: Int) {
        _ = setNumberOfMulti(multi, option.rawValue, number)
    }

    /// Closes connections, on another thread: libcurl 8.20 may wait some seconds for a server (curl issue 21797).
    func close(_ multi: Handle) {
        // Unsafe, because it is a pointer. Nobody else uses it any more.
        nonisolated(unsafe) let multi = multi
        Self.close { [freeMulti] in _ = freeMulti(multi) }
    }

    /// Calls a function that closes connections. What TLS says at the end is written to connections that the server may have closed.
    static func close(_ work: @escaping @Sendable () -> Void) {
        closing.async { SystemCalls.withoutSIGPIPE(work) }
    }

    private static let closing = DispatchQueue(label: "URLSessionResult.closing")

    /// Closes no connections any more.
    ///
    /// - Returns: What is signaled when that has come.
    static func stopClosing() -> DispatchSemaphore {
        let isStopped = DispatchSemaphore(value: 0)
        closing.async { isStopped.signalAndBlock() }
        return isStopped
    }
}

#endif

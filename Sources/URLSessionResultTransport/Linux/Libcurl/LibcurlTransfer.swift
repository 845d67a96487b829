#if canImport(FoundationNetworking)

import Foundation

/// A transfer of libcurl, which FoundationNetworking has begun and not ended (`CURL *`).
///
/// It is used by the function that has found it, on the work queue.
struct LibcurlTransfer {
    let libcurl: Libcurl
    let handle: Libcurl.Handle

    /// FoundationNetworking's object, which frees the handle when it is released.
    let owner: Any

    /// Calls a function of libcurl, which may call FoundationNetworking: the handle is there until it returns.
    private func call<T>(_ function: (Libcurl.Handle) -> T) -> T {
        withExtendedLifetime(owner) { function(handle) }
    }

    /// Whether FoundationNetworking has paused it.
    let isReceivingPaused: Bool
    let isSendingPaused: Bool
}

// MARK: - Options

// The numbers are those of curl.h, and never change.
extension LibcurlTransfer {
    /// Tells FoundationNetworking no more header fields.
    func tellNoMoreHeaders() {
        // Without both, libcurl tells nobody. Without the function alone, it would take that of the body.
        set(10_029, to: nil)  // CURLOPT_HEADERDATA
        set(20_079, to: nil)  // CURLOPT_HEADERFUNCTION
    }

    /// Lets the transfer send its request once: libcurl would send one without a body again when a kept connection is closed without
    /// an answer.
    func sendOnce() {
        // CURLOPT_PREREQDATA and CURLOPT_PREREQFUNCTION, from 7.80 on.
        guard set(10_313, to: handle), set(beforeRequest, to: unsafeBitCast(allowFirstRequest, to: Libcurl.Handle.self))
        else { return set(74, to: 1) }  // CURLOPT_FRESH_CONNECT: nobody can close a new connection unnoticed.
    }

    // libcurl refuses an option that it does not know, and then nothing changes.
    @discardableResult
    private func set(_ option: CInt, to pointer: UnsafeMutableRawPointer?) -> Bool {
        call { libcurl.setPointer($0, option, pointer) == 0 }
    }

    private func set(_ option: CInt, to number: Int) { _ = call { libcurl.setNumber($0, option, number) } }
}

/// What libcurl calls on the work queue when it has a connection, and is about to send a request by it.
private typealias BeforeRequest =
    @convention(c) (
        Libcurl.Handle?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, CInt, CInt
    ) -> CInt

private let beforeRequest: CInt = 20_312

private let allowFirstRequest: BeforeRequest = { handle, _, _, _, _ in
    guard let handle, let libcurl = Libcurl.loaded else { return 0 }
    _ = libcurl.setPointer(handle, beforeRequest, unsafeBitCast(refuseRequest, to: Libcurl.Handle.self))
    return 0  // CURL_PREREQFUNC_OK
}

private let refuseRequest: BeforeRequest = { _, _, _, _, _ in 1 }  // CURL_PREREQFUNC_ABORT

// MARK: - What libcurl knows

extension LibcurlTransfer {
    /// The status code of the latest head that is the server's, not a proxy's response to CONNECT.
    var statusCode: Int {
        var code = 0
        return call { libcurl.getNumber($0, 0x20_0002, &code) } == 0 ? code : 0  // CURLINFO_RESPONSE_CODE
    }
}

// MARK: - Pauses

extension LibcurlTransfer {
    /// Pauses sending, also within a function that libcurl asks for the bytes to send. It must have got some: none are the end.
    func pauseSending() { setPause((isReceivingPaused ? 1 : 0) | 4) }

    /// Continues what FoundationNetworking has not paused itself.
    func resume() { setPause((isReceivingPaused ? 1 : 0) | (isSendingPaused ? 4 : 0)) }

    private func setPause(_ bits: CInt) { _ = call { libcurl.pause($0, bits) } }
}

#endif

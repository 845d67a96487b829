#if canImport(FoundationNetworking)

import Foundation

// FoundationNetworking keeps the handles of libcurl in private properties, which change on the work queue. So these functions are
// called there. Each takes some 10 µs.

extension URLSessionTask {
    /// The transfer that loads the task now, or nil if there is none, or it cannot be found.
    func libcurlTransfer(_ names: LibcurlNames = LibcurlNames()) -> LibcurlTransfer? {
        // An enumeration, whose case has the `URLProtocol`.
        guard let libcurl = Libcurl.loaded, let loading = property(names.transferOfTask, of: self),
            let urlProtocol = Mirror(reflecting: loading).children.first?.value,
            let easyHandle = property(names.easyHandle, of: urlProtocol)
        else { return nil }
        return LibcurlTransfer(of: easyHandle, libcurl, names)
    }
}

extension URLSession {
    /// The handle that has the connections of the session (`CURLM *`), or nil if it cannot be found.
    func libcurlMultiHandle(_ names: LibcurlNames = LibcurlNames()) -> Libcurl.Handle? {
        guard let multiHandle = property(names.multiHandle, of: self) else { return nil }
        return property(names.rawHandle, of: multiHandle) as? Libcurl.Handle
    }
}

extension LibcurlTransfer {
    /// Nil if the object of FoundationNetworking does not have what is needed.
    fileprivate init?(of easyHandle: Any, _ libcurl: Libcurl, _ names: LibcurlNames) {
        guard let handle = property(names.rawHandle, of: easyHandle) as? Libcurl.Handle,
            let pauseState = property(names.pauseState, of: easyHandle),
            let bits = Mirror(reflecting: pauseState).children.first?.value as? Int8
        else { return nil }
        self.init(
            libcurl: libcurl, handle: handle, owner: easyHandle, isReceivingPaused: bits & 1 != 0,
            isSendingPaused: bits & 2 != 0)
    }
}

/// A stored property, of whatever class of the hierarchy. Nil if there is none, or it is nil.
private func property(_ name: String, of object: Any) -> Any? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
        if let property = level.children.first(where: { $0.label == name }) { return unwrapped(property.value) }
        mirror = level.superclassMirror
    }
    return nil
}

private func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
}

#endif

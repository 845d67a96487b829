#if canImport(FoundationNetworking)

import Foundation

/// The functions of the libcurl that FoundationNetworking has loaded.
///
/// They are called on the work queue alone, with handles that FoundationNetworking uses at that moment, or before a session has a
/// request.
struct Libcurl: Sendable {
    /// Nil if FoundationNetworking has been linked statically, or if a function is missing. Nothing is called then, and the faults
    /// that need libcurl stay.
    static let loaded = Libcurl(LibcurlNames())

    // `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt` take a variable number of arguments. On Linux and Android,
    // these are passed as if they were declared.
    let pause: @Sendable @convention(c) (Handle, CInt) -> CInt
    let setPointer: @Sendable @convention(c) (Handle, CInt, UnsafeMutableRawPointer?) -> CInt
    let setNumber: @Sendable @convention(c) (Handle, CInt, Int) -> CInt
    let getNumber: @Sendable @convention(c) (Handle, CInt, UnsafeMutablePointer<Int>) -> CInt

    let setPointerOfMulti: @Sendable @convention(c) (Handle, CInt, UnsafeMutableRawPointer?) -> CInt
    let makeEasy: @Sendable @convention(c) () -> Handle?
    let freeEasy: @Sendable @convention(c) (Handle) -> Void
    let addEasy: @Sendable @convention(c) (_ multi: Handle, _ easy: Handle) -> CInt
    let removeEasy: @Sendable @convention(c) (_ multi: Handle, _ easy: Handle) -> CInt

    /// A `CURL *`, or a `CURLM *`.
    typealias Handle = UnsafeMutableRawPointer

    init?(_ names: LibcurlNames) {
        guard let pause = names.function(names.pause), let setOption = names.function(names.setOption),
            let getInformation = names.function(names.getInformation),
            let setOptionOfMulti = names.function(names.setOptionOfMulti),
            let makeEasy = names.function(names.makeEasy), let freeEasy = names.function(names.freeEasy),
            let addEasy = names.function(names.addEasy), let removeEasy = names.function(names.removeEasy)
        else { return nil }
        self.pause = unsafeBitCast(pause, to: type(of: self.pause))
        setPointer = unsafeBitCast(setOption, to: type(of: setPointer))
        setNumber = unsafeBitCast(setOption, to: type(of: setNumber))
        getNumber = unsafeBitCast(getInformation, to: type(of: getNumber))
        setPointerOfMulti = unsafeBitCast(setOptionOfMulti, to: type(of: setPointerOfMulti))
        self.makeEasy = unsafeBitCast(makeEasy, to: type(of: self.makeEasy))
        self.freeEasy = unsafeBitCast(freeEasy, to: type(of: self.freeEasy))
        self.addEasy = unsafeBitCast(addEasy, to: type(of: self.addEasy))
        self.removeEasy = unsafeBitCast(removeEasy, to: type(of: self.removeEasy))
    }
}

/// What the functions and the handles are called. A test passes wrong names, because another version may have others.
struct LibcurlNames: Sendable {
    var library = "libFoundationNetworking.so"
    var pause = "curl_easy_pause"
    var setOption = "curl_easy_setopt"
    var getInformation = "curl_easy_getinfo"
    var setOptionOfMulti = "curl_multi_setopt"
    var makeEasy = "curl_easy_init"
    var freeEasy = "curl_easy_cleanup"
    var addEasy = "curl_multi_add_handle"
    var removeEasy = "curl_multi_remove_handle"

    // Private properties of FoundationNetworking's classes.
    var transferOfTask = "_protocolStorage"
    var easyHandle = "easyHandle"
    var multiHandle = "multiHandle"
    var rawHandle = "rawHandle"
    var pauseState = "pauseState"

    /// Finds a function of the libcurl that FoundationNetworking is linked with. A process may have another one, too.
    func function(_ name: String) -> UnsafeMutableRawPointer? { SystemCalls.function(name, ofLoadedLibrary: library) }
}

#endif

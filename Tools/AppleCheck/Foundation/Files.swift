// Source: https://developer.apple.com/documentation/foundation/filemanager
open class FileManager: NSObject {
    open class var `default`: FileManager { get }
    // Source: https://developer.apple.com/documentation/foundation/filemanager/url(for:in:appropriatefor:create:)
    open func url(
        for directory: FileManager.SearchPathDirectory, in domain: FileManager.SearchPathDomainMask,
        appropriateFor url: URL?, create shouldCreate: Bool
    ) throws -> URL
    open func createDirectory(
        at url: URL, withIntermediateDirectories createIntermediates: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws
    open func moveItem(at srcURL: URL, to dstURL: URL) throws
    open func removeItem(at URL: URL) throws
    open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool

    // Source: https://developer.apple.com/documentation/foundation/filemanager/searchpathdirectory
    public enum SearchPathDirectory: Sendable {
        case itemReplacementDirectory
    }

    // Source: https://developer.apple.com/documentation/foundation/filemanager/searchpathdomainmask
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
        public static var userDomainMask: FileManager.SearchPathDomainMask { get }
    }
}

// Source: https://developer.apple.com/documentation/foundation/fileattributekey
public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String)
}

// Source: https://developer.apple.com/documentation/foundation/filehandle
open class FileHandle: NSObject, @unchecked Sendable {
    public convenience init(forReadingFrom url: URL) throws
    // Source: https://developer.apple.com/documentation/foundation/filehandle/init(filedescriptor:closeondealloc:)
    public init(fileDescriptor fd: Int32, closeOnDealloc closeopt: Bool)
    // Source: https://developer.apple.com/documentation/foundation/filehandle/filedescriptor
    open var fileDescriptor: Int32 { get }
}

// Source: https://developer.apple.com/documentation/foundation/filehandle/read(uptocount:)
@available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
extension FileHandle {
    public func readToEnd() throws -> Data?
    public func read(upToCount count: Int) throws -> Data?
    public func close() throws
}

// Source: https://developer.apple.com/documentation/foundation/bundle
open class Bundle: NSObject {
    // Source: https://developer.apple.com/documentation/foundation/bundle/url(forresource:withextension:)
    @available(macOS 10.6, iOS 4, tvOS 9, watchOS 2, *)
    open func url(forResource name: String?, withExtension ext: String?) -> URL?
}

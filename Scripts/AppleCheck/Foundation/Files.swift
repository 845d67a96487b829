// Source: https://developer.apple.com/documentation/foundation/filemanager
open class FileManager: NSObject {
    open class var `default`: FileManager { get }
    // Source: https://developer.apple.com/documentation/foundation/filemanager/temporarydirectory
    @available(macOS 10.12, iOS 10, *)
    open var temporaryDirectory: URL { get }
    // Source: https://developer.apple.com/documentation/foundation/filemanager/url(for:in:appropriatefor:create:)
    open func url(
        for directory: FileManager.SearchPathDirectory, in domain: FileManager.SearchPathDomainMask,
        appropriateFor url: URL?, create shouldCreate: Bool
    ) throws -> URL
    open func createDirectory(
        at url: URL, withIntermediateDirectories createIntermediates: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws
    open func createFile(
        atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil
    ) -> Bool
    open func moveItem(at srcURL: URL, to dstURL: URL) throws
    open func copyItem(at srcURL: URL, to dstURL: URL) throws
    open func linkItem(at srcURL: URL, to dstURL: URL) throws
    open func removeItem(at URL: URL) throws
    open func createSymbolicLink(at url: URL, withDestinationURL destURL: URL) throws
    open func fileExists(atPath path: String) -> Bool
    open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool
    open func isReadableFile(atPath path: String) -> Bool
    open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any]
    open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws
    open func contentsOfDirectory(atPath path: String) throws -> [String]
    open func contents(atPath path: String) -> Data?

    // Source: https://developer.apple.com/documentation/foundation/filemanager/searchpathdirectory
    public enum SearchPathDirectory: Sendable {
        case documentDirectory
        case cachesDirectory
        case downloadsDirectory
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
    public static let posixPermissions: FileAttributeKey
    public static let size: FileAttributeKey
    public static let type: FileAttributeKey
}

// Source: https://developer.apple.com/documentation/foundation/filehandle
open class FileHandle: NSObject, @unchecked Sendable {
    public convenience init(forReadingFrom url: URL) throws
    public convenience init(forWritingTo url: URL) throws
    public convenience init?(forReadingAtPath path: String)
    public convenience init?(forWritingAtPath path: String)
    open var fileDescriptor: Int32 { get }
    open func write(_ data: Data)
    open func closeFile()
}

// Source: https://developer.apple.com/documentation/foundation/filehandle/read(uptocount:)
@available(macOS 10.15.4, iOS 13.4, *)
extension FileHandle {
    public func readToEnd() throws -> Data?
    public func read(upToCount count: Int) throws -> Data?
    public func write<T: DataProtocol>(contentsOf data: T) throws
    public func close() throws
    @discardableResult public func seekToEnd() throws -> UInt64
    public func truncate(atOffset offset: UInt64) throws
}

// Source: https://developer.apple.com/documentation/foundation/bundle
open class Bundle: NSObject {
    // Source: https://developer.apple.com/documentation/foundation/bundle/url(forresource:withextension:)
    @available(macOS 10.6, iOS 4, *)
    open func url(forResource name: String?, withExtension ext: String?) -> URL?
}

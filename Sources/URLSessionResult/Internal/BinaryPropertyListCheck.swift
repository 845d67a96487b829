import Foundation

/// Checks the objects of a binary property list before they are read.
///
/// The arrays of such a list refer to their elements, and several may refer to one object. Readers make a value for each reference,
/// so 150 bytes can stand for billions of values: each array refers to the next one twice.
///
/// A list is accepted if it would have, with a copy of the object for each reference,
///
/// * at most 250,000 objects, or 4 for each byte of the list if that is more. A string or data counts as another object for every
///   32 bytes.
/// * at most 512 levels,
/// * no arrays that overlap, which would take a long time to check, and
/// * no set, because `PropertyListSerialization` crashes on some.
///
/// Writers share equal strings and data, and some share arrays. A list without shared arrays has no more objects than bytes, because
/// each reference takes a byte or more. So the limit only affects lists that repeat long values: a value of 20 kB may be in 400
/// records, or in any number of records that take 160 bytes each.
///
/// The check takes a time that is proportional to the length of the list.
struct BinaryPropertyListCheck {
    private static let deepestNesting = 512

    /// The number of objects that every list may have.
    private static let usualCount = 250_000
    private static let countForEachByte = 4
    private static let bytesForEachCount = 32

    private static let magic = Data("bplist0".utf8)
    private static let lengthOfHeader = 8
    private static let lengthOfTrailer = 32

    /// An object with everything in it, as if nothing was shared.
    private struct Extent {
        var count: Int
        var depth: Int
    }

    private enum Progress {
        case notBegun
        case underWay
        case over(Extent)
    }

    /// An array or a dictionary under way.
    private struct Collection {
        let number: Int

        /// The references that have not been followed.
        var references: Range<Int>
        var extent = Extent(count: 1, depth: 1)
    }

    private enum Object {
        case value(Extent)
        case collection(references: Range<Int>)
    }

    private let bytes: UnsafeRawBufferPointer
    private let offsetSize: Int
    private let referenceSize: Int
    private let startOfTable: Int
    private let topObject: Int
    private let largestCount: Int

    /// How far each object has been followed.
    private var progress: [Progress]

    /// The collections under way, each in the one before.
    private var path: [Collection] = []

    /// The bytes that references may still take. The arrays that writers make do not overlap, so their references fit in the list.
    private var unreadCount: Int

    /// Whether data begins as a binary property list does, and is not read as any other.
    static func applies(to data: Data) -> Bool { data.starts(with: magic) }

    static func accepts(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            guard var check = BinaryPropertyListCheck(bytes: bytes) else { return false }
            return check.accepts()
        }
    }

    /// - Returns: Nil if the trailer is malformed.
    private init?(bytes: UnsafeRawBufferPointer) {
        let startOfTrailer = bytes.count - Self.lengthOfTrailer
        guard startOfTrailer > Self.lengthOfHeader else { return nil }
        let trailer = UnsafeRawBufferPointer(rebasing: bytes[startOfTrailer...])
        offsetSize = Int(trailer[6])
        referenceSize = Int(trailer[7])
        guard offsetSize > 0, referenceSize > 0, let objectCount = trailer.integer(at: 8, size: 8),
            let topObject = trailer.integer(at: 16, size: 8), let startOfTable = trailer.integer(at: 24, size: 8),
            startOfTable > Self.lengthOfHeader, startOfTable < startOfTrailer,
            objectCount <= (startOfTrailer - startOfTable) / offsetSize, topObject < objectCount
        else { return nil }
        self.bytes = bytes
        self.topObject = topObject
        self.startOfTable = startOfTable
        let (count, isTooLarge) = bytes.count.multipliedReportingOverflow(by: Self.countForEachByte)
        largestCount = isTooLarge ? Int.max / 2 : max(Self.usualCount, count)
        progress = Array(repeating: .notBegun, count: objectCount)
        unreadCount = bytes.count
    }

    /// Follows the references from the top object on. It does not call itself, because the list may have thousands of levels.
    private mutating func accepts() -> Bool {
        guard follow(topObject) else { return false }
        while let collection = path.last {
            if collection.references.isEmpty {
                path.removeLast()
                progress[collection.number] = .over(collection.extent)
                guard add(collection.extent) else { return false }
            } else {
                guard let number = takeReference(), follow(number) else { return false }
            }
        }
        return true
    }

    /// Takes the next reference of the last collection on the path.
    private mutating func takeReference() -> Int? {
        let references = path[path.count - 1].references
        let end = references.lowerBound + referenceSize
        path[path.count - 1].references = end..<references.upperBound
        return bytes.integer(at: references.lowerBound, size: referenceSize)
    }

    /// - Returns: Whether the object may be where the path leads.
    private mutating func follow(_ number: Int) -> Bool {
        guard number < progress.count else { return false }
        switch progress[number] {
        case .underWay:
            // The object is in itself.
            return false
        case .over(let extent):
            return add(extent)
        case .notBegun:
            break
        }
        switch object(number) {
        case .value(let extent)?:
            progress[number] = .over(extent)
            return add(extent)
        case .collection(let references)?:
            progress[number] = .underWay
            path.append(Collection(number: number, references: references))
            return path.count <= Self.deepestNesting
        case nil:
            return false
        }
    }

    /// Adds an object to the last collection on the path.
    ///
    /// - Returns: Whether the list may have as many objects and levels.
    private mutating func add(_ extent: Extent) -> Bool {
        guard extent.count <= largestCount, extent.depth <= Self.deepestNesting else { return false }
        guard var sum = path.last?.extent else { return true }
        sum.count += extent.count
        sum.depth = max(sum.depth, extent.depth + 1)
        path[path.count - 1].extent = sum
        return sum.count <= largestCount
    }

    /// Reads an object of the table. One of an unknown kind is a value here, and rejected by those who read it.
    ///
    /// - Returns: The object, or nil if it is malformed or a set.
    private mutating func object(_ number: Int) -> Object? {
        let entry = startOfTable + number * offsetSize
        guard let offset = bytes.integer(at: entry, size: offsetSize), offset >= Self.lengthOfHeader,
            offset < startOfTable
        else { return nil }
        switch bytes[offset] & 0xF0 {
        case 0x40, 0x50: return value(at: offset, unit: 1)
        case 0x60: return value(at: offset, unit: 2)
        case 0xA0: return collection(at: offset, referencesForEach: 1)
        case 0xC0: return nil
        case 0xD0: return collection(at: offset, referencesForEach: 2)
        default: return .value(Extent(count: 1, depth: 0))
        }
    }

    /// A string or data.
    private func value(at offset: Int, unit: Int) -> Object? {
        guard let content = content(at: offset, unit: unit) else { return nil }
        return .value(Extent(count: 1 + content.count / Self.bytesForEachCount, depth: 0))
    }

    private mutating func collection(at offset: Int, referencesForEach count: Int) -> Object? {
        guard let content = content(at: offset, unit: count * referenceSize), content.count <= unreadCount else {
            return nil
        }
        unreadCount -= content.count
        return .collection(references: content)
    }

    /// The bytes of an object after its marker and its count.
    private func content(at offset: Int, unit: Int) -> Range<Int>? {
        var count = Int(bytes[offset] & 0x0F)
        var start = offset + 1
        if count == 0x0F {
            // The count is an integer object.
            guard start < startOfTable, bytes[start] & 0xF0 == 0x10, bytes[start] & 0x0F <= 4 else { return nil }
            let size = 1 << Int(bytes[start] & 0x0F)
            guard let number = bytes.integer(at: start + 1, size: size) else { return nil }
            count = number
            start += 1 + size
        }
        let (length, isTooLong) = count.multipliedReportingOverflow(by: unit)
        guard !isTooLong, length <= startOfTable - start else { return nil }
        return start..<start + length
    }
}

extension UnsafeRawBufferPointer {
    /// Reads an integer whose most significant byte comes first.
    ///
    /// - Returns: The integer, or nil if it does not fit or is not within the bytes.
    fileprivate func integer(at position: Int, size: Int) -> Int? {
        guard position >= 0, position <= count, size <= count - position else { return nil }
        var value: UInt64 = 0
        for byte in self[position..<position + size] {
            guard value >> 56 == 0 else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(exactly: value)
    }
}

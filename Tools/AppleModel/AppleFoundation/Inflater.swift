import Glibc

/// zlib. Its header is not at hand, but FoundationNetworking has loaded it.
final class Inflater {
    /// `z_stream`.
    private struct Stream {
        var nextInput: UnsafePointer<UInt8>?
        var inputCount: UInt32 = 0
        var totalInput: UInt = 0
        var nextOutput: UnsafeMutablePointer<UInt8>?
        var outputCount: UInt32 = 0
        var totalOutput: UInt = 0
        var message, state, allocate, free, opaque: UnsafeRawPointer?
        var dataType: CInt = 0
        var checksum: UInt = 0
        var reserved: UInt = 0
    }

    private typealias Initialize = @convention(c) (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
    private typealias Inflate = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
    private typealias End = @convention(c) (UnsafeMutableRawPointer) -> CInt

    private let stream = UnsafeMutablePointer<Stream>.allocate(capacity: 1)
    private let url: URL
    private var hasBegun = false
    private var isOver = false

    init(of url: URL) {
        self.url = url
        stream.initialize(to: Stream())
        // 32 is gzip or zlib, 15 the largest window.
        let size = CInt(MemoryLayout<Stream>.size)
        _ = Self.function("inflateInit2_", as: Initialize.self)(stream, 32 + 15, "1.2.11", size)
    }

    deinit {
        _ = Self.function("inflateEnd", as: End.self)(stream)
        stream.deallocate()
    }

    private static func function<F>(_ name: String, as type: F.Type) -> F {
        guard let symbol = dlsym(nil, name) else { raise("zlib", "\(name) is missing") }
        return unsafeBitCast(symbol, to: type)
    }

    func decode(_ piece: Data) throws -> Data {
        hasBegun = true
        var decoded = Data()
        var output = [UInt8](repeating: 0, count: 1 << 16)
        try piece.withUnsafeBytes { input in
            stream.pointee.nextInput = input.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.inputCount = UInt32(input.count)
            while !isOver {
                let code = output.withUnsafeMutableBufferPointer { buffer in
                    stream.pointee.nextOutput = buffer.baseAddress
                    stream.pointee.outputCount = UInt32(buffer.count)
                    return Self.function("inflate", as: Inflate.self)(stream, 0)
                }
                let count = output.count - Int(stream.pointee.outputCount)
                decoded += output[..<count]
                isOver = code == 1
                // Z_OK, the end, or no progress: more input is needed.
                guard [0, 1, -5].contains(code) else {
                    throw URLError(.cannotDecodeContentData, at: url)
                }
                if count < output.count, stream.pointee.inputCount == 0 { return }
            }
        }
        return decoded
    }

    /// - Throws: An error if something is missing. A body without a byte is none that was compressed.
    func end() throws {
        if hasBegun, !isOver { throw URLError(.cannotDecodeContentData, at: url) }
    }
}

import Foundation
import Testing

@testable import ExampleServer

@Suite("PNG")
struct PNGTests {
    @Test("A picture of one pixel is this file, byte for byte, which other programs read")
    func onePixel() {
        let hex = PNG.gradient(width: 1, height: 1, seed: "").data.map { String(format: "%02x", $0) }.joined()
        let signature = "89504e470d0a1a0a"
        let header = "0000000d494844520000000100000001" + "0802000000" + "907753de"
        let pixels = "0000000f49444154" + "7801" + "010400fbff" + "00000007" + "000b0008" + "a5e9e0e9"
        let end = "0000000049454e44ae426082"
        #expect(hex == signature + header + pixels + end)
    }

    @Test("Two seeds give two pictures")
    func seeds() {
        let pictures = Set(["autobahn", "homogenic"].map { PNG.gradient(width: 2, height: 2, seed: $0).data })
        #expect(pictures.count == 2)
    }
}

import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

struct FreeCoresTests {
    @Test("A decode gets as many cores as it wants and as there are", arguments: [(1, 1), (3, 3), (4, 4), (100, 4)])
    func alone(wanted: Int, expected: Int) {
        #expect(FreeCores(4).borrow(atMost: wanted) { $0 } == expected)
    }

    @Test("A decode gets only the cores that others leave free, but always one")
    func beside() {
        let cores = FreeCores(4)
        let borrowed = cores.borrow(atMost: 1) { first in
            cores.borrow(atMost: 2) { second in
                cores.borrow(atMost: 2) { third in
                    cores.borrow(atMost: 2) { fourth in [first, second, third, fourth] }
                }
            }
        }
        #expect(borrowed == [1, 2, 1, 1])
        #expect(cores.borrow(atMost: 4) { $0 } == 4)
    }

    @Test("A decode that throws gives its cores back")
    func throwing() {
        let cores = FreeCores(4)
        for _ in 0..<3 {
            #expect(throws: CancellationError.self) { try cores.borrow(atMost: 3) { _ in throw CancellationError() } }
        }
        #expect(cores.borrow(atMost: 4) { $0 } == 4)
    }

    @Test("When many threads borrow at once, every core is given back")
    func concurrently() {
        let cores = FreeCores(4)
        DispatchQueue.concurrentPerform(iterations: 1_000) { number in
            let borrowed = cores.borrow(atMost: 1 + number % 4) { $0 }
            if !(1...4).contains(borrowed) { Issue.record("borrowed \(borrowed)") }
        }
        #expect(cores.borrow(atMost: 4) { $0 } == 4)
    }

    @Test("A document is split while cores are free, and not while other decodes hold all of them")
    func splitting() {
        struct Counted: Decodable, Sendable {
            static let count = Monitor(0)

            init(from decoder: any Decoder) throws {
                Self.count.withLock { $0 += 1 }
                _ = try decoder.singleValueContainer().decode(Int.self)
            }
        }
        let json = SharedJSONDecoder(decoder: JSONDecoder(), partSize: 1, cores: FreeCores(2))
        func timesDecoded(_ decode: () throws -> [Counted]) -> Int {
            Counted.count.withLock { $0 = 0 }
            #expect(throws: DecodingError.self) { try decode() }
            return Counted.count.withLock { $0 }
        }
        // After an invalid element in one of the parts, JSONDecoder starts again with the whole document.
        let array = Data(#"[1,2,3,4,"x"]"#.utf8)
        let object = Data(#"{"a":1,"b":2,"c":3,"d":4,"e":"x"}"#.utf8)
        #expect(timesDecoded { try json.array(of: Counted.self, in: array) } > 5)
        #expect(timesDecoded { try json.values(of: Counted.self, in: object) } > 5)
        json.cores.borrow(atMost: 1) { _ in
            #expect(timesDecoded { try json.array(of: Counted.self, in: array) } == 5)
            #expect(timesDecoded { try json.values(of: Counted.self, in: object) } == 5)
        }
    }
}

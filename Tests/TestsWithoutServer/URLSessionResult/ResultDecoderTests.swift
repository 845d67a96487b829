import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

struct ResultDecoderTests {
    private struct Refusal: Error, Equatable {}

    @Test("A decoder gives the value that its function makes of the body")
    func decodes() throws {
        let count = ResultDecoder { data in data.count }
        #expect(try count.decode("four") == 4)
    }

    @Test("A failure passes through untouched, and the function is not called")
    func passesFailuresThrough() {
        let decoder = ResultDecoder<Int> { _ in
            Issue.record("called without a body")
            return 0
        }
        guard case .failure(.transportError(let error)) = decoder.decode(.failure(.transportError(Refusal()))) else {
            Issue.record("not the failure that was given")
            return
        }
        #expect(error is Refusal)
    }

    @Test("What the function throws is a decodingError")
    func wrapsErrors() {
        let decoder = ResultDecoder<Int> { _ in throw Refusal() }
        guard case .failure(.decodingError(let error, _)) = decoder.decode(.success(Data())) else {
            Issue.record("not a decodingError")
            return
        }
        #expect(error is Refusal)
    }

    @Test("A NetworkError that the function throws stays what it is")
    func keepsNetworkErrors() {
        let decoder = ResultDecoder<Int> { _ in throw NetworkError.noData }
        guard case .failure(.noData) = decoder.decode(.success(Data())) else {
            Issue.record("not the error that was thrown")
            return
        }
    }

    @Test("map transforms what was decoded")
    func maps() throws {
        #expect(try ResultDecoder.json([Int].self).map { $0.reduce(0, +) }.decode("[1, 2, 3]") == 6)
    }

    @Test("What the function given to map throws is a decodingError, a NetworkError stays what it is")
    func mapWrapsErrors() {
        let refusing = ResultDecoder.data.map { _ -> Int in throw Refusal() }
        guard case .failure(.decodingError(let error, _)) = refusing.decode(.success(Data())), error is Refusal else {
            Issue.record("not a decodingError")
            return
        }
        let network = ResultDecoder.data.map { _ -> Int in throw NetworkError.noData }
        guard case .failure(.noData) = network.decode(.success(Data())) else {
            Issue.record("not the error that was thrown")
            return
        }
    }
}

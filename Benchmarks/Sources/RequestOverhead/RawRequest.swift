import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a program without the library writes: the same checks by hand.
enum RawError: Error {
    case transport(any Error)
    case server(Int)
    case noData
    case decoding(any Error)
}

extension URLSession {
    func rawData(
        with request: URLRequest, completion: @escaping @Sendable (Result<Data, RawError>) -> Void
    ) -> URLSessionDataTask {
        dataTask(with: request) { data, response, error in
            if let error {
                completion(.failure(.transport(error)))
            } else if let response = response as? HTTPURLResponse, !(200..<300).contains(response.statusCode) {
                completion(.failure(.server(response.statusCode)))
            } else if let data {
                completion(.success(data))
            } else {
                completion(.failure(.noData))
            }
        }
    }

    func rawValue<T: Decodable & SendableMetatype>(
        with request: URLRequest, decoder: JSONDecoder, completion: @escaping @Sendable (Result<T, RawError>) -> Void
    ) -> URLSessionDataTask {
        dataTask(with: request) { data, response, error in
            if let error {
                completion(.failure(.transport(error)))
            } else if let response = response as? HTTPURLResponse, !(200..<300).contains(response.statusCode) {
                completion(.failure(.server(response.statusCode)))
            } else if let data {
                do {
                    completion(.success(try decoder.decode(T.self, from: data)))
                } catch {
                    completion(.failure(.decoding(error)))
                }
            } else {
                completion(.failure(.noData))
            }
        }
    }

    func rawData(for request: URLRequest) async -> Result<Data, RawError> {
        await checked { try await data(for: request) }
    }

    func rawUpload(for request: URLRequest, from body: Data) async -> Result<Data, RawError> {
        await checked { try await upload(for: request, from: body) }
    }

    func rawUpload(for request: URLRequest, fromFile file: URL) async -> Result<Data, RawError> {
        await checked { try await upload(for: request, fromFile: file) }
    }

    private func checked(_ send: () async throws -> (Data, URLResponse)) async -> Result<Data, RawError> {
        do {
            let (data, response) = try await send()
            if let response = response as? HTTPURLResponse, !(200..<300).contains(response.statusCode) {
                return .failure(.server(response.statusCode))
            }
            return .success(data)
        } catch {
            return .failure(.transport(error))
        }
    }

    func rawValue<T: Decodable & SendableMetatype>(for request: URLRequest, decoder: JSONDecoder) async -> Result<
        T, RawError
    > {
        switch await rawData(for: request) {
        case .success(let data):
            do {
                return .success(try decoder.decode(T.self, from: data))
            } catch {
                return .failure(.decoding(error))
            }
        case .failure(let error):
            return .failure(error)
        }
    }
}

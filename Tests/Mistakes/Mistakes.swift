// What the compiler says about common mistakes. `make mistakes` compares it with the comments; no target has this file.

import Foundation
import URLSessionResultClient

private struct Album: Codable {
    let name: String
}

private struct Plain {}

// expected-note@+1 {{class 'Counting' does not conform to the 'Sendable' protocol}}
private final class Counting {
    private var count = 0

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        count += 1
        return try JSONDecoder().decode(type, from: data)
    }
}

private let session = URLSession.shared
private let url = URL(fileURLWithPath: "/")
private let request = URLRequest(url: url)

// MARK: A type or a parser in place of a decoder

private func awaitWithType() async {
    // expected-error@+2 {{cannot convert value of type '[Album].Type' to expected argument type 'ResultDecoder<T>'}}
    // expected-error@+1 {{generic parameter 'T' could not be inferred}}
    _ = await session.dataResult(for: request, decoder: [Album].self)
}

private func awaitFromURLWithType() async -> Result<Album, NetworkError> {
    // expected-error@+1 {{cannot convert value of type 'Album.Type' to expected argument type 'ResultDecoder<Album>'}}
    await session.dataResult(from: url, decoder: Album.self, accepting: [200])
}

private func awaitWithJSONDecoder() async -> Result<[Album], NetworkError> {
    // expected-error@+1 {{cannot convert value of type 'JSONDecoder' to expected argument type 'ResultDecoder<[Album]>'}}
    await session.dataResult(for: request, decoder: JSONDecoder()) { _ in }
}

private func awaitFromURLWithJSONDecoder() async {
    // expected-error@+2 {{cannot convert value of type 'JSONDecoder' to expected argument type 'ResultDecoder<T>'}}
    // expected-error@+1 {{generic parameter 'T' could not be inferred}}
    let result = await session.dataResult(from: url, decoder: JSONDecoder())
    print(result)
}

private func handleWithType() {
    // expected-error@+1 {{cannot convert value of type '[Album].Type' to expected argument type 'ResultDecoder<T>'}}
    session.dataTask(with: url, decoder: [Album].self) { result in
        switch result {
        case .success(let albums): print(albums.count)
        case .failure(let error): print(error)
        }
    }.resume()
}

private func handleWithJSONDecoder() {
    // expected-error@+2 {{cannot convert value of type 'JSONDecoder' to expected argument type 'ResultDecoder<T>'}}
    // expected-error@+1 {{generic parameter 'T' could not be inferred}}
    session.dataTask(with: request, decoder: JSONDecoder()) { result in print(result) }.resume()
    // expected-error@+1 {{cannot convert value of type 'JSONDecoder' to expected argument type 'ResultDecoder<[Album]>'}}
    session.dataTask(with: url, decoder: JSONDecoder()) { (result: Result<[Album], NetworkError>) in
        print(result)
    }.resume()
}

// MARK: Within a decoder

private func mistakeWithinChain() async {
    // expected-error@+1 {{value of type '[Album]' has no member 'titles'}}
    _ = await session.dataResult(for: request, decoder: .json([Album].self).map { $0.titles })
    // expected-error@+1 {{value of type 'String' has no member 'titles'}}
    _ = await session.dataResult(for: request, decoder: .string().map { $0.titles })
}

private func mistakeInKeyPath() async {
    // expected-error@+2 {{value of type '[Album]' has no member 'titles'}}
    // expected-error@+1 {{converting non-Sendable function value}}
    _ = await session.dataResult(for: request, decoder: .json([Album].self).map(\.titles))
}

private func notDecodable() async {
    // expected-error@+1 {{requires that 'Plain' conform to 'Decodable'}}
    _ = await session.dataResult(from: url, decoder: .json(Plain.self))
}

private func otherTypeThanAnnounced() async -> Result<Album, NetworkError> {
    // expected-note@+2 {{arguments to generic parameter 'T' ('[Album]' and 'Album') are expected to be equal}}
    // expected-error@+1 {{produces result of type 'ResultDecoder<[Album]>' but contextual base was inferred as}}
    await session.dataResult(from: url, decoder: .json([Album].self))
}

private func otherOrder() async {
    // expected-error@+1 {{argument 'decoder' must precede argument 'accepting'}}
    _ = await session.dataResult(from: url, accepting: [200], decoder: .json([Album].self))
}

private func threeArguments() {
    // expected-error@+1 {{expects 1 argument, but 3 were used in closure body}}
    session.dataTask(with: url, decoder: .json([Album].self)) { data, response, error in }.resume()
}

private func forInPlaceOfFrom() async {
    // expected-error@+1 {{cannot convert value of type 'URL' to expected argument type 'URLRequest'}}
    _ = await session.dataResult(for: url, decoder: .json([Album].self))
}

// MARK: Others

private func comparedWithNil() {
    // expected-warning@+1 {{comparing non-optional value of type 'Result<Data, NetworkError>' to 'nil' always returns false}}
    session.dataTask(with: request) { if $0 == nil { print("success") } }.resume()
}

private func withoutResume() {
    // expected-warning@+1 {{result of call to 'dataTask(with:accepting:resultHandler:)' is unused}}
    session.dataTask(with: request) { result in print(result) }
}

private func handlerOfAwait() async {
    await session.dataResult(for: request) { result in
        // expected-error@+1 {{type 'TransferProgress' has no member 'success'}}
        if case .success(let body) = result { print(body) }
    }
}

private func caughtURLError() async {
    do {
        print(try await session.dataResult(for: request).get())
        // expected-warning@+1 {{cast from 'NetworkError' to unrelated type 'URLError' always fails}}
    } catch let error as URLError {
        print(error)
    } catch {
        print(error)
    }
}

private func resultInPlaceOfValue() async throws -> [Album] {
    // expected-error@+1 {{cannot convert return expression of type 'Result<[Album], NetworkError>' to return type '[Album]'}}
    await session.dataResult(from: url, decoder: .json([Album].self))
}

private func parserWithState() async {
    let parser = Counting()
    // expected-error@+1 {{capture of 'parser' with non-Sendable type 'Counting' in a '@Sendable' closure}}
    let decoder = ResultDecoder { data in try parser.decode([Album].self, from: data) }
    _ = await session.dataResult(from: url, decoder: decoder)
}

private func destinationOfNil() {
    // expected-error@+1 {{'nil' is not compatible with expected argument type 'URL'}}
    session.downloadTask(with: url, to: nil) { result in print(result) }.resume()
}

// expected-note@+1 {{consider making generic parameter 'T' conform to the 'SendableMetatype' protocol}}
private func genericWithoutMetatype<T: Decodable>(_ type: T.Type) async -> Result<T, NetworkError> {
    // expected-error@+1 {{type 'T' does not conform to the 'SendableMetatype' protocol}}
    await session.dataResult(from: url, decoder: .json(type))
}

// MARK: With the client

private func bodyOfSeveralTypes() {
    // expected-error@+1 {{A dictionary of several types is not Encodable. Write a struct for the body.}}
    _ = Endpoint<Void>(.post, "albums", body: .json(["name": "Blue", "year": 1971]))
}

private func pathInAString(_ path: String) {
    // expected-error@+1 {{Write EndpointPath(path: text) to keep its slashes}}
    _ = Endpoint(.get, path, as: [Album].self)
    // expected-error@+1 {{Write EndpointPath(path: text) to keep its slashes}}
    _ = Endpoint<Void>(.delete, path)
}

private func tokenWithoutAPI() {
    // expected-error@+1 {{missing argument for parameter 'for' in call}}
    _ = TokenAuthentication("secret")
}

private func tokenInAString(_ text: String, _ optionalText: String?) {
    // expected-error@+1 {{Write AccessToken(text): only a literal is a token by itself.}}
    _ = TokenAuthentication(text, for: url)
    // expected-error@+1 {{Write AccessToken(text): only a literal is a token by itself.}}
    _ = TokenAuthentication(optionalText, for: url) { _ in .success("secret") }
}

private func bodyWithoutItsFormat(_ album: Album, _ bytes: Data) {
    // expected-error@+1 {{Write .json(value), .form(encoding: value) or .data(bytes, contentType: type)}}
    _ = Endpoint<Void>(.post, "albums", body: album)
    // expected-error@+1 {{Write .json(value), .form(encoding: value) or .data(bytes, contentType: type)}}
    _ = Endpoint(.post, "albums", body: bytes, as: Album.self)
}

private func queryOfDictionary(_ filter: [String: String], _ numbers: [String: Int], _ values: [String: Any]) {
    // expected-error@+1 {{Write QueryItems(sortedByName: values): a dictionary has no order.}}
    _ = Endpoint(.get, "albums", query: filter, as: [Album].self)
    // expected-error@+1 {{Write QueryItems(sortedByName: values): a dictionary has no order.}}
    _ = Endpoint<Void>(.delete, "albums", query: numbers)
    // expected-error@+1 {{cannot convert value of type '[String : Any]' to expected argument type 'QueryItems'}}
    _ = Endpoint<Void>(.delete, "albums", query: values)
}

private func patternOfCode(_ error: NetworkError) {
    switch error {
    // expected-error@+1 {{type '_ErrorCodeProtocol' has no member 'timedOut'}}
    case .transportError(.timedOut): print("late")
    default: break
    }
}

private func typesOfMiddleware() {
    // expected-error@+5 {{Write Retry(), with parentheses: middleware is a value, not a type.}}
    // expected-error@+4 2{{expected member name or initializer call after type name}}
    // expected-note@+3 2{{add arguments after the type to construct a value of the type}}
    // expected-note@+2 2{{use '.self' to reference the type object}}
    // swift-format-ignore
    _ = APIClient(baseURL: url, middleware: [Retry, RequestLog])
}

private func lostConnections(_ client: APIClient) {
    // expected-error@+3 {{expects 1 argument, but 2 were used in closure body}}
    // expected-error@+3 {{value of tuple type 'Void' has no member 'never'}}
    // expected-error@+2 {{value of tuple type 'Void' has no member 'usual'}}
    _ = client.events(for: Endpoint<Void>(.get, "changes")) { error, count in
        count > 5 ? .never : .usual
    }
}

private func caughtInTask() {
    Task {
        do {
            print(try await session.dataResult(from: url).get())
        } catch {
            // expected-error@+1 {{value of type 'any Error' has no member 'statusCode'}}
            print(error.statusCode ?? 0)
        }
    }
}

private func clientWithJSONDecoder() {
    // expected-error@+3 {{cannot convert value of type 'JSONDecoder' to expected argument type 'ResultDecoder<Value>'}}
    // expected-error@+2 {{generic parameter 'Value' could not be inferred}}
    // expected-note@+1 {{explicitly specify the generic arguments to fix this issue}}
    _ = Endpoint(.get, "albums", decoder: JSONDecoder())
}

private func codeInPlaceOfCodes() async {
    // expected-error@+1 {{requires that 'Int' conform to 'Collection'}}
    _ = await session.dataResult(from: url, accepting: 404)
    // expected-error@+1 {{Write the status code in brackets, as in [201].}}
    _ = Endpoint<Void>(.get, "albums", accepting: 404)
    // expected-error@+1 {{Write the status code in brackets, as in [201].}}
    _ = Endpoint(.post, "albums", as: Album.self, accepting: 201)
}

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Album: Decodable {
    let title: String
}

let session = URLSession.shared
let url = URL(fileURLWithPath: "/albums.json")
let request = URLRequest(url: url)

@Sendable func use(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    print(response as Any, error as Any)
    print(Result { try JSONDecoder().decode([Album].self, from: data ?? Data()) })
}

@Sendable func use(_ file: URL?, _ response: URLResponse?, _ error: (any Error)?) {
    print(file as Any, response as Any, error as Any)
}

session.dataTask(with: request) { use($0, $1, $2) }.resume()
session.dataTask(with: url) { use($0, $1, $2) }.resume()
session.uploadTask(with: request, from: Data()) { use($0, $1, $2) }.resume()
session.uploadTask(with: request, fromFile: url) { use($0, $1, $2) }.resume()
session.downloadTask(with: request) { use($0, $1, $2) }.resume()
session.downloadTask(with: url) { use($0, $1, $2) }.resume()
session.downloadTask(withResumeData: Data()) { use($0, $1, $2) }.resume()
print(try await session.data(for: request))
print(try await session.data(from: url))
print(try await session.upload(for: request, from: Data()))
print(try await session.upload(for: request, fromFile: url))
print(try await session.download(for: request))
print(try await session.download(from: url))

import Foundation
import URLSessionResult

struct Album: Decodable {
    let title: String
}

let session = URLSession.shared
let url = URL(fileURLWithPath: "/albums.json")
let request = URLRequest(url: url)
let albums = ResultDecoder.json([Album].self)

@Sendable func use<Success>(_ result: Result<Success, NetworkError>) { print(result) }
@Sendable func use(_ error: NetworkError?) { print(error as Any) }

// Data

session.dataTask(with: request) { use($0) }.resume()
session.dataTask(with: request, errorHandler: { use($0) }).resume()
session.dataTask(with: request, decoder: albums) { use($0) }.resume()
session.dataTask(with: url) { use($0) }.resume()
session.dataTask(with: url, errorHandler: { use($0) }).resume()
session.dataTask(with: url, decoder: albums) { use($0) }.resume()
use(await session.dataResult(for: request))
use(await session.dataResult(for: request, decoder: albums))
use(await session.dataResult(from: url))
use(await session.dataResult(from: url, decoder: albums))

// Uploads

session.uploadTask(with: request, from: Data()) { use($0) }.resume()
session.uploadTask(with: request, from: Data(), errorHandler: { use($0) }).resume()
session.uploadTask(with: request, from: Data(), decoder: albums) { use($0) }.resume()
session.uploadTask(with: request, fromFile: url) { use($0) }.resume()
session.uploadTask(with: request, fromFile: url, errorHandler: { use($0) }).resume()
session.uploadTask(with: request, fromFile: url, decoder: albums) { use($0) }.resume()
session.uploadTask(withResumeData: Data()) { use($0) }.resume()
use(await session.uploadResult(for: request, from: Data()))
use(await session.uploadResult(for: request, from: Data(), decoder: albums))
use(await session.uploadResult(for: request, fromFile: url))
use(await session.uploadResult(for: request, fromFile: url, decoder: albums))
use(await session.uploadResult(resumeFrom: Data()))

// Downloads

session.downloadTask(with: request) { use($0) }.resume()
session.downloadTask(with: request, to: url) { use($0) }.resume()
session.downloadTask(with: request, decoder: albums) { use($0) }.resume()
session.downloadTask(with: url) { use($0) }.resume()
session.downloadTask(with: url, to: url) { use($0) }.resume()
session.downloadTask(with: url, decoder: albums) { use($0) }.resume()
session.downloadTask(withResumeData: Data()) { use($0) }.resume()
session.downloadTask(withResumeData: Data(), to: url) { use($0) }.resume()
use(await session.downloadResult(for: request, to: url))
use(await session.downloadResult(for: request, decoder: albums))
use(await session.downloadResult(from: url, to: url))
use(await session.downloadResult(from: url, decoder: albums))
use(await session.downloadResult(resumeFrom: Data(), to: url))
use(await session.downloadResponse(for: request, to: url))
use(await session.downloadResponse(from: url, to: url))

// Streams

use(await session.bytesResult(for: request))
use(await session.bytesResult(from: url))

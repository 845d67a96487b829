import Foundation
import URLSessionResultClient

/// A request during which calls fail, in a folder of its own.
enum CallScenario: String, CaseIterable, Codable {
    case download
    case upload
    /// A stream whose reader begins when its buffer is full.
    case buffer
    /// A download that goes on where an earlier one ended.
    case resumable
    /// A form with a file, of which there is a copy in the temporary folder meanwhile.
    case form

    static let oldContent = Data("the file that was there".utf8)
    static let body = Data.blocks(20, ofSize: 10_000)
    static let tag = #""1""#
    static let longBody = Data.blocks(12, ofSize: 500_000)

    /// Answers the requests of all scenarios. Every connection ends with its response.
    static func makeServer() throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let headers: KeyValuePairs = ["Connection": "close"]
            switch request.path {
            case "/upload":
                try connection.respond(request.body == body ? 200 : 400, headers: headers)
            case "/form":
                let isWhole = request.body.range(of: body) != nil
                try connection.respond(isWhole ? 200 : 400, headers: headers)
            case "/resumable":
                try connection.respond(withRestFor: request)
            case "/buffer":
                try connection.respond(headers: headers, body: longBody)
            default:
                try connection.respond(headers: headers, body: body)
            }
            connection.close()
        }
    }

    /// Sends the request.
    ///
    /// - Parameters:
    ///   - folder: The folder for the files of the scenario.
    ///   - server: The address of the server.
    ///   - session: The session to send it in.
    ///   - isLibrary: Whether the library sends it, or `URLSession` alone.
    ///   - ending: A function to call for each end.
    func start(
        in folder: CallFolder, at server: URL, session: URLSession, isLibrary: Bool,
        ending: @escaping @Sendable (CallEnd) -> Void
    ) {
        let url = server.appendingPathComponent(rawValue)
        var upload = URLRequest(url: url)
        upload.httpMethod = "POST"
        switch self {
        case .download where isLibrary:
            session.downloadTask(with: url, to: folder.destination) { ending(CallEnd($0)) }.resume()
        case .download:
            session.downloadTask(with: url) { _, _, error in ending(CallEnd(error)) }.resume()
        case .upload where isLibrary:
            session.uploadTask(with: upload, fromFile: folder.upload) { ending(CallEnd($0)) }.resume()
        case .upload:
            session.uploadTask(with: upload, fromFile: folder.upload) { _, _, error in ending(CallEnd(error)) }.resume()
        case .resumable where isLibrary:
            let request = URLRequest(url: url)
            Task { ending(CallEnd(await session.resumableDownloadResult(for: request, to: folder.destination))) }
        case .form where isLibrary:
            let request = upload
            let form: MultipartForm = [.field("name", value: "Hejira"), .file("cover", folder.upload)]
            Task { ending(CallEnd(await session.uploadResult(for: request, form: form, decoder: .ignored))) }
        case .resumable, .form:
            session.dataTask(with: upload) { _, _, error in ending(CallEnd(error)) }.resume()
        case .buffer where isLibrary:
            Task { ending(await Self.readSlowly(url, session)) }
        case .buffer:
            session.dataTask(with: url) { _, _, error in ending(CallEnd(error)) }.resume()
        }
    }

    private static func readSlowly(_ url: URL, _ session: URLSession) async -> CallEnd {
        let response: NetworkResponse<ResponseBytes>
        switch await session.bytesResult(from: url) {
        case .success(let success): response = success
        case .failure(let error): return CallEnd(error)
        }
        // The buffer is full meanwhile, and the server waits.
        usleep(100_000)
        do throws(NetworkError) {
            var read = Data()
            for try await chunk in response.body.chunks { read += chunk }
            return read == longBody ? .success : .wrongContent
        } catch {
            return CallEnd(error)
        }
    }
}

extension LoopbackServer.Connection {
    /// Sends the bytes of a range to the end, or all.
    fileprivate func respond(withRestFor request: LoopbackServer.Request) throws {
        let body = CallScenario.body
        let headers: KeyValuePairs = ["Connection": "close", "ETag": CallScenario.tag]
        let start = request.header("Range")?.dropFirst("bytes=".count).split(separator: "-").first.flatMap { Int($0) }
        guard let start, request.header("If-Range") == CallScenario.tag, start < body.count else {
            return try respond(headers: headers, body: body)
        }
        try respond(
            206,
            headers: [
                "Connection": "close", "ETag": CallScenario.tag,
                "Content-Range": "bytes \(start)-\(body.count - 1)/\(body.count)",
            ], body: Data(body[start...]))
    }
}

/// How a request ended.
enum CallEnd: Codable, Equatable {
    case success
    case failure(String)
    case timeout
    case wrongContent

    init(_ error: (any Error)?) {
        switch error {
        case nil: self = .success
        case let error as URLError where error.code == .timedOut: self = .timeout
        case let error as NetworkError where error.urlError?.code == .timedOut: self = .timeout
        case let error?: self = .failure("\(error)")
        }
    }

    init(_ result: Result<some Any, NetworkError>) {
        switch result {
        case .success: self = .success
        case .failure(let error): self.init(error)
        }
    }
}

/// The files of a scenario.
struct CallFolder {
    private let folder: URL
    var destination: URL { folder.appendingPathComponent("destination") }
    var upload: URL { folder.appendingPathComponent("upload") }

    init() throws {
        folder = try useTemporaryFolderOfOurOwn()
        try write()
    }

    func write() throws {
        try CallScenario.oldContent.write(to: destination)
        try CallScenario.body.write(to: upload)
    }

    func remove() throws {
        try FileManager.default.removeItem(at: folder)
    }

    /// What is there beside the two files, and beside the beginning of a resumable download.
    var leftovers: [String] {
        names.filter { !["destination", "upload", "destination.part", "destination.part-version"].contains($0) }
    }

    var hasPart: Bool { names.contains("destination.part") }

    /// The file of a resumable download that stays if it cannot be locked.
    static let lock = "destination.part-lock"

    private var names: [String] {
        FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    }
}

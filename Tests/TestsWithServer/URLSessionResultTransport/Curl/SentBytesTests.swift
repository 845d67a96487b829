#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The bytes of requests, compared with those of `URLSession` alone.
@Suite(.inTurn)
struct SentBytesTests {
    @Test(
        "The bytes of a request are those that URLSession sends, except where the table says why",
        .limit(until: .swift6_4), arguments: rows)
    func bytes(_ row: Row) async throws {
        let urlSession = try await lines(of: row, by: .urlSession)
        for form in Form.all(for: row.content) {
            let ours = try await lines(of: row, by: form)
            let reasons = "\(form.name), with the differences: \(row.differences.map(\.reason))"
            #expect(ours.removing(urlSession) == row.differences.compactMap(\.ours).sorted(), "\(reasons)")
            #expect(urlSession.removing(ours) == row.differences.compactMap(\.urlSession).sorted(), "\(reasons)")
        }
    }

    /// The line that a request begins with, its fields, and its body, sorted. Or the error in place of a request.
    private func lines(of row: Row, by form: Form) async throws -> [String] {
        let server = try RecordingServer()
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = row.fields
        if let cookie = row.cookie {
            let properties = [HTTPCookiePropertyKey.domain: row.host, .path: "/", .name: "a", .value: cookie]
            configuration.httpCookieStorage?.setCookie(try #require(HTTPCookie(properties: properties)))
        }
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: try #require(URL(string: "http://\(row.host):\(server.port)\(row.target)")))
        row.change(&request)
        if let code = await form.send(session, request, row.content) { return ["error \(code.rawValue)"] }
        let recording = try #require(try await server.recording.value { $0 != nil })
        let endOfHead = try #require(recording.range(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: recording[..<endOfHead.lowerBound], as: UTF8.self)
        let body = recording[endOfHead.upperBound...]
        // URLSession knows no name of a version, only its number.
        let plainHead = head.replacing(":\(server.port)", with: ":PORT").replacing("-DEV", with: "")
        let lines = plainHead.components(separatedBy: "\r\n")
        return (lines + [body == Self.large ? "2 MB" : String(decoding: body, as: UTF8.self)]).sorted()
    }
}

extension [String] {
    /// What remains without one of each of the others.
    fileprivate func removing(_ others: Self) -> Self {
        var others = others
        return filter { line in
            guard let index = others.firstIndex(of: line) else { return true }
            others.remove(at: index)
            return false
        }
    }
}

/// A way to send a request.
private struct Form: Sendable {
    let name: String
    let send: @Sendable (URLSession, URLRequest, SentBytesTests.Content) async -> URLError.Code?

    static func all(for content: SentBytesTests.Content) -> [Form] {
        if case .request = content { return requests }
        return uploads
    }

    private static let requests = APIForm.some.filter { !$0.uploads }.map { form in
        Form(name: form.testDescription) { session, request, _ in
            await form.run(session, request).error.codeToCompare
        }
    }

    private static let uploads = [
        Form(name: "uploadTask") { session, request, content in
            await content.using { file, data in
                await APIForm.calling { handler in
                    if let file {
                        session.uploadTask(with: request, fromFile: file, resultHandler: handler)
                    } else {
                        session.uploadTask(with: request, from: data, resultHandler: handler)
                    }
                }.error.codeToCompare
            }
        },
        Form(name: "uploadResult") { session, request, content in
            await content.using { file, data in
                if let file { return await session.uploadResult(for: request, fromFile: file).error.codeToCompare }
                return await session.uploadResult(for: request, from: data).error.codeToCompare
            }
        },
        Form(name: "uploadResult with progress") { session, request, content in
            await content.using { file, data in
                if let file {
                    return await session.uploadResult(for: request, fromFile: file, progress: ignored).error
                        .codeToCompare
                }
                return await session.uploadResult(for: request, from: data, progress: ignored).error.codeToCompare
            }
        },
    ]

    static let urlSession = Form(name: "URLSession") { session, request, content in
        await content.using { file, data in
            await withCheckedContinuation { continuation in
                let handler: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { _, _, error in
                    continuation.resume(returning: error.map { ($0 as? URLError)?.code ?? .unknown })
                }
                let task: URLSessionTask
                switch content {
                case .request: task = session.dataTask(with: request, completionHandler: handler)
                case .data: task = session.uploadTask(with: request, from: data, completionHandler: handler)
                case .file:
                    task = session.uploadTask(
                        with: request, fromFile: file ?? URL(fileURLWithPath: "/"), completionHandler: handler)
                }
                task.resume()
            }
        }
    }
}

extension SentBytesTests.Content {
    /// Gives the body to a function, with a file that has it if it is to be one.
    fileprivate func using(_ body: (URL?, Data) async -> URLError.Code?) async -> URLError.Code? {
        switch self {
        case .request: await body(nil, Data())
        case .data(let data): await body(nil, data)
        case .file(let data): await TemporaryFolder().using(data) { await body($0, data) }
        }
    }
}

extension NetworkError? {
    /// Nil where there is no error.
    fileprivate var codeToCompare: URLError.Code? { map { $0.urlError?.code ?? .unknown } }
}

/// A server for one request, of which it keeps the bytes.
private final class RecordingServer: Sendable {
    let port: UInt16

    /// All that has come on the connection. Nil until the client has closed it.
    let recording = Monitor<Data?>(nil)
    private let socket: Socket

    init() throws {
        socket = try Socket.listening()
        port = try socket.port()
        Thread.detachNewThread { [socket, recording] in
            guard let accepted = try? socket.accept() else { return }
            let stream = RecordedStream(accepted)
            let connection = LoopbackServer.Connection(stream, scheme: "http")
            try? Self.answer(connection)
            connection.waitForClientToClose()
            recording.withLock { $0 = stream.received }
        }
    }

    private static func answer(_ connection: LoopbackServer.Connection) throws {
        guard let request = try connection.readRequest(withBody: false) else { return }
        if request.header("Expect") != nil { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        // A GET that says so has no body all the same.
        if request.method != "GET" { _ = try connection.readBody() }
        try connection.respond(headers: ["Connection": "close"])
    }

    deinit { socket.shutDown() }
}

/// The bytes of a connection, which it keeps. Used on one thread.
private final class RecordedStream: ByteStream {
    private let socket: Socket
    private(set) var received = Data()

    init(_ socket: Socket) { self.socket = socket }

    func receive(into buffer: inout Data, atMost count: Int) throws -> Bool {
        var piece = Data()
        let isOpen = try socket.receive(into: &piece, atMost: count)
        received += piece
        buffer += piece
        return isOpen
    }

    func send(_ data: Data) throws { try socket.send(data) }
    func close() { socket.close() }
    func reset() { socket.reset() }
}

#endif

import Foundation
internal import URLSessionResultTransport

/// The body of a request with its content type.
public struct RequestBody: Sendable {
    enum Content: Sendable {
        case data(Data)
        case json(@Sendable (JSONEncoder) throws -> Data)
        case encodedForm(@Sendable (JSONEncoder) throws(NetworkError) -> QueryItems)
        case file(URL)
        case multipart(MultipartForm)
    }

    let content: Content
    let contentType: String

    /// A value as JSON, written by the encoder of the client.
    ///
    /// - Parameter value: The value. Any error that its `encode(to:)` throws is that of a `NetworkError.encodingError`.
    /// - Returns: The body, with `application/json`.
    public static func json(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody(content: .json { encoder in try encoder.encode(value) }, contentType: "application/json")
    }

    /// The fields of a form (`application/x-www-form-urlencoded`).
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The body.
    public static func form(_ fields: QueryItems) -> RequestBody {
        .data(Data(fields.percentEncoded.utf8), contentType: typeOfForm)
    }

    /// The members of a value as the fields of a form (`application/x-www-form-urlencoded`), written by the encoder of the client as
    /// ``QueryItems/init(encoding:arrays:keys:using:)`` does.
    ///
    /// - Parameters:
    ///   - value: A value that is encoded as an object.
    ///   - arrays: How an array is sent.
    ///   - keys: How members of an object within the value are named.
    /// - Returns: The body.
    public static func form(
        encoding value: some Encodable & Sendable, arrays: QueryItems.ArrayStyle = .repeated,
        keys: QueryItems.KeyStyle = .brackets
    ) -> RequestBody {
        let content = Content.encodedForm { encoder throws(NetworkError) in
            try QueryItems(encoding: value, arrays: arrays, keys: keys, using: encoder)
        }
        return RequestBody(content: content, contentType: typeOfForm)
    }

    /// A form that may have files (`multipart/form-data`).
    ///
    /// - Parameter form: The form.
    /// - Returns: The body.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(content: .multipart(form), contentType: form.contentType)
    }

    /// Bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The type of the bytes, such as `image/png`.
    /// - Returns: The body.
    public static func data(_ data: Data, contentType: String) -> RequestBody {
        RequestBody(content: .data(data), contentType: contentType)
    }

    /// The bytes of a file, which is read in pieces when the request is sent. Only those methods of ``APIClient`` that give a file, a
    /// stream, values or events, and ``APIClient/send(_:by:)``, read it into memory.
    ///
    /// - Parameters:
    ///   - file: The file. If it cannot be read, the error is `NetworkError.transportError`.
    ///   - contentType: The type of the file, such as `image/png`.
    /// - Returns: The body.
    public static func file(_ file: URL, contentType: String) -> RequestBody {
        RequestBody(content: .file(file), contentType: contentType)
    }
}

extension RequestBody {
    /// Whether it is a value in JSON, whose content type the client may know better: `application/vnd.api+json`, for example.
    var isJSON: Bool {
        if case .json = content { true } else { false }
    }

    /// The bytes for the request itself, or nil if they are in a file or a form.
    func data(by encoder: JSONEncoder) throws(NetworkError) -> Data? {
        switch content {
        case .data(let data): return data
        case .json(let encode):
            do { return try encode(encoder) } catch { throw .encodingError(error) }
        case .encodedForm(let encode): return Data(try encode(encoder).percentEncoded.utf8)
        case .file, .multipart: return nil
        }
    }
}

extension RequestBody.Content {
    /// Whether its bytes are in a file or a form.
    var isUploaded: Bool {
        switch self {
        case .data, .json, .encodedForm: false
        case .file, .multipart: true
        }
    }

    var files: [URL] {
        switch self {
        case .data, .json, .encodedForm: []
        case .file(let file): [file]
        case .multipart(let form):
            form.parts.flatMap(\.contents).compactMap { if case .file(let file) = $0 { file } else { nil } }
        }
    }

    /// The bytes of a file or a form, or nil if they are in the request itself.
    func read() async throws(NetworkError) -> Data? {
        switch self {
        case .data, .json, .encodedForm: nil
        case .multipart(let form): try await form.data()
        case .file(let file):
            try await FileReader.reading { reader in
                var data = Data()
                try reader.read(file) { data.append($0) }
                return data
            }
        }
    }
}

private let typeOfForm = "application/x-www-form-urlencoded"

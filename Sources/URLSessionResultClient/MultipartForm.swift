import Foundation

/// A form that may have files (`multipart/form-data`, RFC 7578).
///
/// ```swift
/// let form: MultipartForm = [
///     .field("title", value: "Blue"),
///     .file("cover", file, contentType: "image/png"),
/// ]
/// let result = await session.uploadResult(
///     for: request, form: form, decoder: .ignored)
/// ```
///
/// Files are read in pieces when the form is sent, so a form with large files needs little memory. Those methods of ``APIClient``
/// that give a file, a stream, values or events, and ``APIClient/send(_:by:)``, do read the whole form into memory. A file may be a
/// pipe: then the form waits for its writer, until the Swift task is cancelled.
public struct MultipartForm: Sendable, ExpressibleByArrayLiteral {
    /// The parts, in order.
    public var parts: [Part]

    /// A UUID has 122 random bits, so no part contains it by chance. The parts are not searched for it.
    let boundary = UUID().uuidString

    /// The content type of the form, with the boundary between its parts.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Creates a form.
    ///
    /// - Parameter parts: The parts.
    public init(_ parts: [Part]) { self.parts = parts }

    /// Creates a form.
    public init(arrayLiteral parts: Part...) { self.parts = parts }

    /// A part of a form.
    public struct Part: Sendable {
        enum Content: Sendable { case data(Data), file(URL) }

        /// What is sent under the name: several for an array, and none for a field without a value, which is left out.
        let contents: [Content]
        let name: String
        let fileName: String?
        let contentType: String?

        /// Makes a field with a text or a number.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - value: The value. A field whose value is `nil` is left out of the form, and an array repeats the name.
        /// - Returns: The part.
        public static func field(_ name: String, value: (any RequestValue)?) -> Part {
            let contents = value.texts.map { Content.data(Data($0.utf8)) }
            return Part(contents: contents, name: name, fileName: nil, contentType: nil)
        }

        /// Makes a field with bytes.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - data: The bytes.
        ///   - fileName: The name of the file that the bytes are sent as, or `nil` for a field that is no file.
        ///   - contentType: The type of the bytes, or `nil` to send none.
        /// - Returns: The part.
        public static func data(
            _ name: String, _ data: Data, fileName: String? = nil,
            contentType: String? = "application/octet-stream"
        ) -> Part {
            Part(contents: [.data(data)], name: name, fileName: fileName, contentType: contentType)
        }

        /// Makes a field with a file.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - file: The file.
        ///   - fileName: The name that is sent, or `nil` for the name of the file.
        ///   - contentType: The type of the file, or `nil` to send none.
        /// - Returns: The part.
        public static func file(
            _ name: String, _ file: URL, fileName: String? = nil,
            contentType: String? = "application/octet-stream"
        ) -> Part {
            let fileName = fileName ?? file.lastPathComponent
            return Part(contents: [.file(file)], name: name, fileName: fileName, contentType: contentType)
        }
    }
}

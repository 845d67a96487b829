import Foundation

extension SessionStub {
    /// Sends the pieces of a body, from any thread. It does not wait for the reader, and does nothing once the request is over.
    public struct BodyWriter: Sendable {
        let send: @Sendable (Data) -> Void

        /// Sends a piece.
        ///
        /// - Parameter piece: The next bytes of the body.
        public func write(_ piece: Data) { send(piece) }

        /// Sends a piece of text in UTF-8.
        ///
        /// - Parameter piece: The next text of the body.
        public func write(_ piece: String) { send(Data(piece.utf8)) }
    }
}

import Foundation

/// Finds the numbers that do not fit in skipped elements, if `JSONDecoder` says no more than that an element is not valid JSON.
package struct JSONElementFaults {
    private let document: Data
    private let path: JSONKeyPath

    /// Finds the fault of an element that is a document of its own.
    private let fault: (Data) -> JSONFault?

    /// The elements by the last keys of their coding paths. Nil until the first error that needs them.
    private var elements: [String: Data]?

    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - document: The document.
    ///   - path: The path to their array or object.
    ///   - decoder: The decoder.
    package init<Element: Decodable>(
        of type: Element.Type, in document: Data, at path: JSONKeyPath, by decoder: SharedJSONDecoder
    ) {
        self.document = document
        self.path = path
        fault = { element in decoder.fault(of: element, decodedAs: type) }
    }

    /// Gives the error of an element with a ``JSONFault`` beneath it, if a number of the element does not fit.
    ///
    /// The element is decoded again by itself, about log2(n) times for n numbers.
    ///
    /// - Parameter error: The error that decoding the element within its document threw.
    /// - Returns: The error.
    package mutating func explained(_ error: any Error) -> any Error {
        guard case DecodingError.dataCorrupted(let context) = error, context.isInvalidJSONElement,
            let element = element(context.codingPath.last), let fault = fault(element), case .number = fault
        else { return error }
        return DecodingError.dataCorrupted(
            .init(
                codingPath: context.codingPath, debugDescription: context.debugDescription, underlyingError: fault))
    }

    private mutating func element(_ key: (any CodingKey)?) -> Data? {
        let elements = elements ?? splitElements()
        self.elements = elements
        return key.flatMap { elements[$0.stringValue] }
    }

    private func splitElements() -> [String: Data] {
        guard document.count <= SharedJSONDecoder.longestSearchedDocument else { return [:] }
        var splitter = JSONElementSplitter(at: path)
        splitter.append(document)
        var elements: [String: Data] = [:]
        // A document that is malformed has been rejected as a whole.
        while let element = try? splitter.next() {
            if let key = element.codingPath.last { elements[key.stringValue] = element.bytes }
        }
        return elements
    }
}

extension SharedJSONDecoder {
    fileprivate func fault<Value: Decodable>(of document: Data, decodedAs type: Value.Type) -> JSONFault? {
        do {
            _ = try explainingFaults(of: document) { data in try decode(type, from: data, at: .root) }
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.underlyingError as? JSONFault
        } catch {
            return nil
        }
    }
}

extension DecodingError.Context {
    /// Whether it describes an element that is not JSON, and does not have its place yet.
    fileprivate var isInvalidJSONElement: Bool {
        !codingPath.isEmpty && underlyingError == nil && debugDescription == JSONFault.messageOfElement
    }
}

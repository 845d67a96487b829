import Foundation

/// What an upload sends in place of the request's own body.
package enum UploadedBody: Sendable {
    case data(Data)
    case file(URL)
}

import Foundation
internal import URLSessionResultTransport

extension APIClient {
    /// Sends a request with its body, and receives the response in memory.
    func load(
        _ request: URLRequest, sending body: RequestBody?, accepting codes: [Int], progress: ProgressHandler?
    ) async -> Result<NetworkResponse<Data>, NetworkError> {
        switch body?.content {
        case .file(let file):
            await load(request, uploading: .file(file), accepting: codes, progress: progress)
        case .multipart(let form):
            await form.sent(by: request) { request, file in
                await load(request, uploading: .file(file), accepting: codes, progress: progress)
            }
        case .data, .json, .encodedForm, nil:
            if progress != nil, let body = request.httpBody, body.count > sizeOfSmallBody {
                await load(request, uploading: .data(body), accepting: codes, progress: progress)
            } else {
                await load(request, accepting: codes, progress: progress)
            }
        }
    }

    /// The progress is that of the response.
    private func load(
        _ request: URLRequest, accepting codes: [Int], progress: ProgressHandler?
    ) async -> Result<NetworkResponse<Data>, NetworkError> {
        guard let maximumBodySize else {
            return await session.dataResult(
                for: request, decoder: .response(.data), accepting: codes, progress: progress)
        }
        return await session.bytesResult(for: request, accepting: codes)
            .collected(upTo: maximumBodySize, reportingTo: progress)
    }

    /// The progress is that of the request.
    private func load(
        _ request: URLRequest, uploading body: UploadedBody, accepting codes: [Int], progress: ProgressHandler?
    ) async -> Result<NetworkResponse<Data>, NetworkError> {
        if let maximumBodySize {
            return await session.bytesResult(for: request, uploading: body, accepting: codes, progress: progress)
                .collected(upTo: maximumBodySize, reportingTo: nil)
        }
        let decoder = ResultDecoder<NetworkResponse<Data>>.response(.data)
        switch body {
        case .data(let data):
            return await session.uploadResult(
                for: request, from: data, decoder: decoder, accepting: codes, progress: progress)
        case .file(let file):
            return await session.uploadResult(
                for: request, fromFile: file, decoder: decoder, accepting: codes, progress: progress)
        }
    }
}

/// In bytes. The upload of a smaller body is over before anybody sees its progress.
private let sizeOfSmallBody = 64 * 1024

extension Result<NetworkResponse<ResponseBytes>, NetworkError> {
    /// The response with its whole body. A body that is longer than the maximum is an error, and is cancelled.
    fileprivate func collected(
        upTo maximum: Int, reportingTo progress: ProgressHandler?
    ) async -> Result<NetworkResponse<Data>, NetworkError> {
        let meter = progress.map(ProgressMeter.init)
        do throws(NetworkError) {
            let response = try get()
            let total = response.urlResponse.lengthOfBody
            let data = try await response.body.collect(upTo: maximum) { count in
                meter?.count(Int64(count), of: total)?()
            }
            meter?.finish(successfully: true)
            return .success(response.map { _ in data })
        } catch {
            return .failure(error)
        }
    }
}

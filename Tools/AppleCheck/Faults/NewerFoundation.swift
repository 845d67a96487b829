import Foundation

func resumedUpload(in session: URLSession, from data: Data) -> URLSessionUploadTask {
    session.uploadTask(withResumeData: data) { _, _, _ in }  // fault
}

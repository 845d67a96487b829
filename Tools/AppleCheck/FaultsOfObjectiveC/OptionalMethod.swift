import Foundation

func tell(_ delegate: any URLSessionTaskDelegate, of task: URLSessionTask, in session: URLSession) {
    delegate.urlSession(session, task: task, didCompleteWithError: nil)  // fault
}

#if canImport(FoundationNetworking)

// The faults of URLSession on Linux that the library corrects. Each has a name, which stands at the code that corrects it, as
// `// Workaround: NAME`. `make workarounds` prints them, and `make docs` fails if an entry is incomplete, or if its name or its
// test is missing. A line that is indented continues the one before. `docs/Maintaining.md` says how to retire a workaround.

// Name: cookieAttributes
// Fault: `URLSession` ignores `Max-Age` of a cookie, and a `Secure` that has a value, such as `Secure=true`
// Instead: the library respects both
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.attributes
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/3301
// May go: `Cookies.swift`

// Name: cookieDomains
// Fault: `URLSession` stores a cookie for `Domain=com`, for a part of an IP address, and one whose name begins with `__Host-` or
//   `__Secure-` but that breaks the rules of this prefix
// Instead: the library stores none of these
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.wrongDomain
// Upstream: not reported
// May go: `Cookies.swift`

// Name: cookiePath
// Fault: `URLSession` takes `/` for the path of a cookie that names none
// Instead: the library takes the folder of the URL
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.defaultPath
// Upstream: not reported
// May go: `Cookies.swift`

// Name: cookiesOfHTTP2
// Fault: `URLSession` does not store the cookies of HTTP/2
// Instead: the library stores them
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `Cookies.swift`

// Name: unhandledCookies
// Fault: `URLSession` stores the cookies of a response to a request whose `httpShouldHandleCookies` is `false`
// Instead: the library does not store them
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.unhandledCookies
// Upstream: not reported
// May go: `Cookies.swift`

// Name: numberOfCookies
// Fault: `URLSession` stores every cookie of a response, and compares each one with all others: 9,000 of them take seconds
// Instead: the library keeps 50 for each domain, as RFC 6265bis says
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `Cookies.swift`

// Name: originOfCredential
// Fault: `URLSession` sends a credential to the origin of the first request, also if another origin requires it after a redirect
// Instead: the library sends it to the origin that requires it
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.credentialAfterRedirect
// Upstream: not reported
// May go: `answer(with:)`

// Name: equalProtectionSpace
// Fault: `URLSession` finds a stored credential only with the same `URLProtectionSpace` object
// Instead: the library finds it with an equal one
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.storedCredential
// Upstream: not reported
// May go: `credential(for:)`

// Name: relativeLocation
// Fault: `URLSession` resolves a relative `Location` against the root of the server, and decodes `%2F` in it
// Instead: the library resolves it by RFC 3986
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.relativeLocation
// Upstream: not reported
// May go: nothing, because the stub needs it

// Name: escapesInLocation
// Fault: `URLSession` escapes the percent signs of a `Location` again if another character needs an escape
// Instead: the library keeps the escapes that are there
// Kind: wrong result
// Needed by: Swift 6.2 to 6.3.3
// Shown by: WorkaroundTests.escapesInLocation
// Upstream: not reported
// May go: `escapedAsReference`

// Name: blankInLocation
// Fault: `URLSession` takes blanks around a `Location` as part of it
// Instead: the library leaves them out
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.blankInLocation
// Upstream: not reported
// May go: `trimmingCharacters(in:)`

// Name: schemeInCapitals
// Fault: `URLSession` loads no URL whose scheme is in capitals, as in `HTTPS://`
// Instead: the library follows a redirect to one
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.capitals
// Upstream: not reported
// May go: `withSchemeInLowerCase`

// Name: unopenedStream
// Fault: `URLSession` sends an empty body in place of a body stream that cannot be opened
// Instead: the library fails with `URLError.requestBodyStreamExhausted`
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.unopenedStream
// Upstream: not reported
// May go: `CallersStream.swift`

// Name: streamAfterChallenge
// Fault: `URLSession` sends an empty body stream after a challenge that was answered
// Instead: the library asks the delegate for a new stream, and ends with the 401 if there is none
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.streamAfterChallenge
// Upstream: not reported
// May go: `renewStream`

// Name: headAfterRedirect
// Fault: `URLSession` turns a HEAD into a GET after a 303
// Instead: the library keeps the HEAD
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.headAfterRedirect
// Upstream: not reported
// May go: nothing, because the stub needs it

// Name: fieldsOfBody
// Fault: `URLSession` keeps `Content-Type` when a POST becomes a GET
// Instead: the library removes the fields that describe a body
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.fieldsOfBody
// Upstream: not reported
// May go: nothing, because the stub needs it

// Name: secretsAtOtherOrigin
// Fault: `URLSession` sends every header field to another origin
// Instead: the library removes credentials, cookies and `Host` when the origin changes
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.credentialsAtOtherOrigin
// Upstream: not reported
// May go: nothing, because the stub needs it

// Name: failingURL
// Fault: `URLSession` names the first URL in an error after a redirect
// Instead: the library names the URL that failed
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.failingURL
// Upstream: not reported
// May go: nothing alone, because every request has a task of its own

// Name: codeOfFailure
// Fault: `URLSession` gives `URLError.unknown` for every failure of TLS and for a body that ends early
// Instead: the library gives Apple's codes in ``NetworkError/urlError``
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.codeOfTLS
// Upstream: not reported
// May go: `URLError+AppleCode.swift`

// Name: trailers
// Fault: `URLSession` crashes if a response has trailers (from Swift 6.4 on, it ends the whole response with an error)
// Instead: the library gives the response, and no delegate or reader sees the trailers
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.trailers
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5285
// May go: `Trailers.swift`

// Name: busyWait
// Fault: `URLSession` takes a whole core while a request waits, from the first one on a connection or an upload on
//   (`_SocketSources.createSources(with:handle:socket:queue:handler:)` adds a source, and cancels none)
// Instead: the library lets libcurl give the socket back
// Kind: cost
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.busyWait
// Upstream: not reported
// May go: `BusyWaits.swift`, `WaitTable.swift` and `WaitingTask.swift`

// Name: bodyForProtocol
// Fault: `URLSession` shows a `URLProtocol` of the caller no body of an upload
// Instead: the library shows it in `httpBody` of the request
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.bodyForProtocol
// Upstream: not reported
// May go: the line of `makeLoad(of:for:)` that sets the body

// Name: keptConnection
// Fault: `URLSession` waits until the timeout, or fails (libcurl 8.12 and later), if the server closes a kept connection without
//   an answer to a PUT or a POST; one without a body is sent again
// Instead: the library sends a PUT again, with its body, and ends a POST with `URLError.networkConnectionLost`
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.keptConnection
// Upstream: not reported
// May go: `connectionIsLost(_:)`

// Name: byteCounts
// Fault: `URLSession` does not update `task.progress` and the byte counts of a task with a handler
// Instead: the library reports `progress:`, and its tasks count
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.progress
// Upstream: not reported
// May go: nothing before `Transfer`, because redirects and challenges need it, too

// Name: closedSession
// Fault: `URLSession` aborts the process when a session is closed that had a connection with TLS (libcurl 8.9 and later)
// Instead: the library sends the requests of every session by sessions of its own, and lets libcurl forget its callbacks before it
//   closes one
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: `make soak-sessions` with such a libcurl
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5203
// May go: `mayBeReleased()`, and nothing else before `Transfer`

// Name: waitingRequest
// Fault: `URLSession` does not send a request that waits for a connection when the one before it in line is cancelled or times out
//   (libcurl 8.14, for example)
// Instead: the library gives libcurl a turn
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WaitingRequestTests.next, with such a libcurl
// Upstream: not reported
// May go: `letNextRequestBegin()`

// Name: silentNameServer
// Fault: `URLSession` stops all sessions while the name server of a request that was cancelled, or timed out, does not
//   answer
// Instead: the library tells libcurl not to wait
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: SilentNameServerTests.silence
// Upstream: not reported
// May go: `leaveNameServer()`

// Name: malformedDataURL
// Fault: `URLSession` never completes a task for a malformed `data` URL
// Instead: the library fails with `URLError.badURL`
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.malformedDataURL
// Upstream: not reported
// May go: `urlSession(_:task:didCompleteWithError:)` of `Transaction`

// Name: protocolOnOtherThread
// Fault: `URLSession` crashes if a `URLProtocol` answers on another thread while the task is cancelled
// Instead: the library loads the `URLProtocol` itself
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `ProtocolLoad.swift`

// Name: bodyAfterRedirect
// Fault: `URLSession` repeats a PUT or a POST without its body after a redirect
// Instead: the library repeats it with its body
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.bodyAfterRedirect
// Upstream: not reported
// May go: `Transfer+Responses.swift`

// Name: redirectAfterChallenge
// Fault: `URLSession` repeats the first request 20 times if a redirect follows a challenge that was answered
// Instead: the library follows the redirect
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.redirectAfterChallenge
// Upstream: not reported
// May go: `Transfer+Responses.swift`

// Name: lateChallenge
// Fault: `URLSession` asks for a credential only when the body of the 401 is whole, and gives a delegate the 401 before
// Instead: the library holds the 401 of a stream back, for 2 s or 1 MiB at most
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.lateChallenge
// Upstream: not reported
// May go: `giveHead()`

// Name: headOfProxy
// Fault: `URLSession` gives a delegate the head of a proxy's answer to CONNECT as the response of the server
// Instead: the library keeps it back
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: ProxyTests.rawHead
// Upstream: not reported
// May go: `HeadSender.swift`

// Name: unansweredChallenge
// Fault: `URLSession` never completes a task after a 401 that no credential answers
// Instead: the library gives a `serverError` at once, with its body
// Kind: hang
// Needed by: Swift 6.2 to 6.3.1
// Shown by: WorkaroundTests.unansweredChallenge
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5456
// May go: nothing alone, because a challenge and a redirect take the same way

// Name: cancelledRedirect
// Fault: `URLSession` crashes if a redirected task is cancelled, or times out, while its delegate answers
//   (`_HTTPURLProtocol.didCompleteRedirectCallback(_:)`)
// Instead: the library sends the next request with a new task, and gives `URLSession` no answer
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.cancelledRedirect, which crashes in half of the runs from 6.4 on
// Upstream: not reported
// May go: `Transfer.swift`

// Name: cancelledChallenge
// Fault: `URLSession` crashes if a task is cancelled while a challenge is answered with a credential
//   (`_NativeProtocol.stopLoading()`)
// Instead: the library sends the next request with a new task, and gives `URLSession` no answer
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: LateCancellationTests.cancellation crashed without it on 6.3.1; later, its sources
// Upstream: not reported
// May go: nothing alone, because a challenge and a redirect take the same way

// Name: redirectOverHTTP2
// Fault: `URLSession` crashes if a request is redirected over HTTP/2 while another one uses the connection
// Instead: the library sends the next request with a new task
// Kind: crash
// Needed by: Swift 6.2 to 6.3.3
// Shown by: its sources
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5445
// May go: nothing alone, because every redirect takes the same way

// Name: cancelledAtItsEnd
// Fault: `URLSession` crashes if a task is cancelled near its end (`_TaskRegistry.behaviour(for:)`)
// Instead: the library cancels the task of an inner session, whose end is on the same queue
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: `compare-on-linux cancellation`, one of the examples
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/3296
// May go: nothing alone, because every request takes the same way

// Name: waitingCancellation
// Fault: `URLSession` makes the thread that cancels a task wait for the tasks of all sessions
// Instead: the library ends the request at once, and cancels what sends it on another thread
// Kind: hang
// Needed by: Swift 6.2 to 6.3.3
// Shown by: its sources
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5412
// May go: nothing alone, because every request takes the same way

// Name: suspendedTask
// Fault: `URLSession` crashes if a task is suspended after it was resumed, or sends its request twice
// Instead: the library sends it once, and holds its end back
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.suspendedTask
// Upstream: not reported
// May go: nothing alone, because every request takes the same way

// Name: uploadOfNil
// Fault: `URLSession` crashes if `uploadTask(with:from:completionHandler:)` is given `nil`
// Instead: the library sends an empty body
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.uploadOfNil
// Upstream: not reported
// May go: one line of `makeUploadTask(for:from:)`

// Name: resumeData
// Fault: `URLSession` makes no resume data, and may crash if it is asked to resume a download
// Instead: the library keeps the file of an interrupted download, and asks for the rest
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `makeUploadTask(resumeData:)`, and nothing of downloads before `Transfer`

// Name: timeoutForResource
// Fault: `URLSession` ignores `timeoutIntervalForResource`
// Instead: the library respects it
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.timeoutForResource
// Upstream: not reported
// May go: `ResourceTimeout.swift`

// Name: interruptedFile
// Fault: `URLSession` crashes if the upload of a file is cut short (`_BodyFileSource`)
// Instead: the library gives it a stream, or reads a small file before it sends it
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: nothing alone, because a redirect sends the file again

// Name: fractionOfTimeout
// Fault: `URLSession` cuts timeouts to whole seconds, so that 0.9 s is a timeout at once
// Instead: the library rounds them up to whole seconds
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `URLRequest+Timeout.swift`

// Name: timeoutOfInitializer
// Fault: `URLSession` ignores a timeout that is given to `URLRequest.init`
// Instead: the library respects it
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.timeoutOfInitializer
// Upstream: not reported
// May go: `URLRequest+Timeout.swift`

// Name: unreadBody
// Fault: `URLSession` sends the request again after `suspend()` and `resume()`, so that nothing holds a sender back
// Instead: the library keeps what a slow reader has not read, in memory and in temporary files
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.suspendedTask
// Upstream: not reported
// May go: `Backlog.swift`

// Name: mappedFile
// Fault: `URLSession` reads a file that may be mapped (`mappedIfSafe`)
// Instead: the library maps it
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.mappedFile on 6.3.1; on main, the sources of swift-foundation
// Upstream: not reported
// May go: `mapped`

#endif

import Foundation
internal import URLSessionResultTransport

/// What the current Swift task runs within: calls, shared work (a refresh or a joined call), and places of a `RequestLimit`.
///
/// It decides which call a request belongs to, which calls that call may join, and whether the request needs a place. It is
/// task-local, because middleware of the user may run between two parts of the library.
struct Surroundings: Sendable {
    @TaskLocal static var current = Surroundings()

    /// The calls from the outermost to the innermost. Each was sent from within the one before.
    private var calls: [ClientCall] = []

    /// The places that were taken, also those that have been given back since.
    private(set) var places: [RequestPlaces.Place] = []

    /// The refreshes and joined calls that the task is part of. Their requests need no place of a request that waits for them.
    private(set) var sharedWork: Set<ID> = []

    /// The innermost call, place or shared work.
    private var innermost: ID?

    /// Runs a function within these surroundings.
    func run<T: Sendable>(_ body: () async -> T) async -> T { await Self.$current.withValue(self, operation: body) }
}

// MARK: - Calls

extension Surroundings {
    /// The call that a request belongs to, or nil for one that middleware makes itself.
    ///
    /// Middleware may change the query, the header fields and the body of a request before it passes the request on. A request with
    /// another URL or another method is one that the middleware makes itself.
    func call(of request: URLRequest) -> ClientCall? {
        guard let call = calls.last, call.target?.mayBe(of: request) == true else { return nil }
        return call
    }

    /// The call as it is now: `withinJoinedCall` may have directed its reports to all calls that join it.
    func latest(_ call: ClientCall) -> ClientCall { calls.last { $0.id == call.id } ?? call }

    /// The progress of the call whose response a request gets, or nil for a request that middleware makes itself.
    func advances(ofTransferOf request: URLRequest) -> CallProgress? {
        guard let call = calls.last, call.isBeingSent || call.target?.mayBe(of: request) == true else { return nil }
        return call.advances
    }

    /// The surroundings of what a call sends, at the beginning of the call.
    func within(_ call: ClientCall, sending request: URLRequest) -> Surroundings {
        var call = call
        call.target = ClientCall.Target(of: request)
        call.enclosing = innermost
        var surroundings = self
        surroundings.calls.append(call)
        surroundings.innermost = call.id
        return surroundings
    }

    /// These surroundings, or, for a request that belongs to no call of a client, others with a call of its own.
    func withinCall(of request: URLRequest) -> Surroundings {
        call(of: request) == nil ? within(.withoutClient, sending: request) : self
    }

    /// Whether the innermost call is this one, and knows this request.
    func isWithin(_ call: ClientCall, sending request: URLRequest) -> Bool {
        guard let last = calls.last else { return false }
        return last.id == call.id && last.target == ClientCall.Target(of: request)
    }

    /// The surroundings in which a call goes on with a request that middleware has changed.
    func goingOn(with call: ClientCall, sending request: URLRequest) -> Surroundings {
        var surroundings = self
        let index = calls.lastIndex { $0.id == call.id } ?? calls.endIndex
        surroundings.calls.removeSubrange(index...)
        var call = latest(call)
        call.target = ClientCall.Target(of: request)
        surroundings.calls.append(call)
        return surroundings
    }

    /// The surroundings of the function that sends the request of the innermost call.
    var whileSending: Surroundings {
        var surroundings = self
        if let last = calls.indices.last { surroundings.calls[last].isBeingSent = true }
        return surroundings
    }
}

// MARK: - Shared work and places

extension Surroundings {
    /// The surroundings of a call that others may join.
    ///
    /// - Parameters:
    ///   - work: The identity of the joined call.
    ///   - progress: Where its reports go.
    /// - Returns: The surroundings.
    func withinJoinedCall(_ work: ID, reportingTo progress: @escaping ProgressHandler) -> Surroundings {
        var surroundings = within(sharedWork: work)
        // The first call may want no reports, but a call that joins later may.
        if let last = calls.indices.last { surroundings.calls[last].progress = progress }
        return surroundings
    }

    /// The surroundings of a refresh. It is part of no call.
    func withinRefresh(_ work: ID) -> Surroundings {
        var surroundings = within(sharedWork: work)
        surroundings.calls = []
        return surroundings
    }

    private func within(sharedWork work: ID) -> Surroundings {
        var surroundings = self
        surroundings.sharedWork.insert(work)
        surroundings.innermost = work
        return surroundings
    }

    /// The surroundings of what is sent while a place is taken.
    func within(_ place: RequestPlaces.Place) -> Surroundings {
        var surroundings = self
        surroundings.places.append(place)
        surroundings.innermost = ID()
        return surroundings
    }

    /// Lends the places of this task to work that it waits for. Meanwhile, requests of the work need no place: they could wait for
    /// a place that this task gives back only after the work.
    func lendPlaces(to work: ID) -> PlaceLoan {
        var limits: [RequestPlaces] = []
        for limit in places.map(\.limit) where !limits.contains(where: { $0 === limit }) && limit.needsNoPlace(self) {
            limits.append(limit)
        }
        return PlaceLoan(of: limits, to: work)
    }
}

extension Surroundings {
    /// The identity of a call, of shared work or of a place.
    struct ID: Hashable, Sendable {
        private let number: Int

        init() {
            number = lastNumber.withLock { number in
                number += 1
                return number
            }
        }
    }
}

private let lastNumber = Locked(0)

internal import SyncLock

/// Carries exchanges at the pace that each origin gets: so many at once, so many bytes a second,
/// and none with what is left alone.
final class OriginDesks: Sendable {
  private let transport: any Transport
  private let policy: ClientPolicy
  private let limits: OriginLimits
  private let desks = Locked<[Origin: OriginDesk]>([:])
  private let callers = Locked(UsefulCallers())

  /// How many callers the client has use for at once, and who is told when they become more.
  ///
  /// As long as all goes well with one origin, half as many again as exchanges may go on: whoever
  /// ends one finds the next caller ready. As soon as there is another origin, or a fetch waits to
  /// try again, any number: while some wait for the one, others may ask the other.
  private struct UsefulCallers: Sendable {
    var told = 0
    var teller: (@Sendable (Int) -> Void)?
  }

  private var time: Timeline { limits.time }

  init(_ transport: any Transport, policy: ClientPolicy, limits: OriginLimits) {
    self.transport = transport
    self.policy = policy
    self.limits = limits
  }

  /// The client is done: others needn't heed it any more.
  func leave() {
    let left = desks.withLock { desks in
      defer { desks = [:] }
      return desks
    }
    for (origin, desk) in left { limits.leave(origin, desk.number) }
  }

  /// Whether the number of exchanges that go on at once is found out.
  var adaptsRequests: Bool { policy.adaptsRequests }

  /// Has `teller` told how many callers are of use, each time that there are more than before.
  func tellUsefulCallers(to teller: @escaping @Sendable (Int) -> Void) {
    callers.withLock { $0 = UsefulCallers(told: 0, teller: teller) }
  }

  /// A fetch waits before it tries again.
  func noteWait() {
    noteUseful(.max)
  }

  private func noteUseful(_ count: Int) {
    guard adaptsRequests else { return }
    let tell = callers.withLock { callers -> (@Sendable (Int) -> Void)? in
      guard count > callers.told else { return nil }
      callers.told = count
      return callers.teller
    }
    HeldLocks.assertNone()
    tell?(count)
  }

  func desk(for origin: Origin) -> OriginDesk {
    if let desk = desks.withLock({ $0[origin] }) { return desk }
    let (gate, number) = limits.enter(origin, policy)
    let new = OriginDesk(policy, gate: gate, number: number)
    let (desk, isAnother) = desks.withLock { desks in
      if let desk = desks[origin] { return (desk, false) }
      desks[origin] = new
      return (new, desks.count > 1)
    }
    if desk.number != number { limits.leave(origin, number) }  // somebody else was faster
    if isAnother { noteUseful(.max) }
    return desk
  }

  /// Waits in line for the request's origin, and then exchanges.
  ///
  /// - Parameters:
  ///   - isRetry: Whether its fetch failed before. Others wait while many try again.
  ///   - prepare: Makes the request what goes out, once it does: a signature holds for a few
  ///     minutes, and a line may be longer.
  func exchange(
    _ request: HTTPRequest, into filter: AnswerFilter, isRetry: Bool = false,
    preparing prepare: (HTTPRequest) -> HTTPRequest = { $0 }
  ) async throws -> HTTPResponse {
    let desk = desk(for: request.address.origin)
    while true {
      try desk.refuseLeftAlone(request.address)
      if !isRetry { try await desk.gate.retrying.waitForRoom() }
      let response = try await exchangeInTurn(
        request, with: desk, into: filter, isRetry: isRetry, preparing: prepare)
      if adaptsRequests, desk.gate.semaphore.hasRoom {
        let permits = desk.gate.semaphore.permits
        noteUseful(permits + permits / 2)
      }
      if let response { return response }
    }
  }

  /// Exchanges when its turn has come; `nil` when by then so many try again that it has to wait.
  private func exchangeInTurn(
    _ request: HTTPRequest, with desk: OriginDesk, into filter: AnswerFilter, isRetry: Bool,
    preparing prepare: (HTTPRequest) -> HTTPRequest
  ) async throws -> HTTPResponse? {
    try await desk.gate.semaphore.withPermit {
      // While this one stood in line, others may have found out.
      try desk.refuseLeftAlone(request.address)
      if !isRetry, desk.gate.retrying.isFull { return nil }
      let place = try await waitForRate(of: desk)
      let start = time.now
      desk.gate.noteBegin(at: start)
      do {
        let response = try await carry(prepare(request), at: place, into: filter)
        desk.gate.noteEnd(ExchangeEnd(response), since: start, at: time.now)
        return response
      } catch {
        let end = ExchangeEnd(failedAfter: filter.telling?.status)
        desk.gate.noteEnd(end, since: start, at: time.now)
        throw error
      }
    }
  }

  /// A rate that an exchange keeps to, and the bytes that are set aside for it.
  private typealias Place = (bucket: Locked<TokenBucket>, deposit: Int)

  /// Waits until something may come from an origin; `nil` where it may at any time.
  private func waitForRate(of desk: OriginDesk) async throws -> Place? {
    guard let bucket = desk.gate.bucket else { return nil }
    while true {
      let now = time.now
      switch bucket.withLock({ $0.admit(at: now) }) {
      case .now(let deposit): return (bucket, deposit)
      case .later(let wait): try await time.sleep(for: wait)
      }
    }
  }

  /// Over the transport, at the rate that is allowed.
  private func carry(
    _ request: HTTPRequest, at place: Place?, into filter: AnswerFilter
  ) async throws -> HTTPResponse {
    guard let place else { return try await transport.exchange(request, into: filter) }
    let (waits, continuation) = AsyncStream<Duration>.makeStream()
    let paced = PacedReceiver(
      filter, bucket: place.bucket, deposit: place.deposit, time: time, waits: continuation)
    defer { paced.end() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [time] in
        for await end in waits {
          try await time.sleep(until: end)
          paced.endWait()
        }
      }
      let response = try await transport.exchange(request, into: paced)
      group.cancelAll()
      return response
    }
  }
}

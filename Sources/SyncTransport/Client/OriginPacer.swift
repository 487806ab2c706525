internal import SyncLock

/// Carries exchanges at the pace that each origin gets: so many at once, so many bytes a second,
/// and none with what is left alone.
final class OriginPacer: Sendable {
  private let transport: any Transport
  private let policy: ClientPolicy
  private let limits: OriginLimits
  private let shares = Locked<[Origin: OriginShare]>([:])
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
    let left = shares.withLock { shares in
      defer { shares = [:] }
      return shares
    }
    for (origin, share) in left { limits.leave(origin, share.number) }
  }

  /// Whether the number of exchanges that go on at once is found out.
  var adaptsRequests: Bool { policy.adaptsRequests }

  /// Has `teller` told how many callers are of use, each time that there are more than before.
  func tellUsefulCallers(to teller: @escaping @Sendable (Int) -> Void) {
    callers.withLock { $0 = UsefulCallers(told: 0, teller: teller) }
  }

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

  func share(of origin: Origin) -> OriginShare {
    if let share = shares.withLock({ $0[origin] }) { return share }
    let (gate, number) = limits.enter(origin, policy)
    let new = OriginShare(policy, gate: gate, number: number)
    let (share, isAnother) = shares.withLock { shares in
      if let share = shares[origin] { return (share, false) }
      shares[origin] = new
      return (new, shares.count > 1)
    }
    if share.number != number { limits.leave(origin, number) }  // somebody else was faster
    if isAnother { noteUseful(.max) }
    return share
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
    let share = share(of: request.address.origin)
    while true {
      try share.refuseLeftAlone(request.address)
      if !isRetry { try await share.gate.retrying.waitForRoom() }
      let response = try await exchangeInTurn(
        request, with: share, into: filter, isRetry: isRetry, preparing: prepare)
      if adaptsRequests, share.gate.semaphore.hasRoom {
        let permits = share.gate.semaphore.permits
        noteUseful(permits + permits / 2)
      }
      if let response { return response }
    }
  }

  /// Exchanges when its turn has come; `nil` when by then so many try again that it has to wait.
  private func exchangeInTurn(
    _ request: HTTPRequest, with share: OriginShare, into filter: AnswerFilter, isRetry: Bool,
    preparing prepare: (HTTPRequest) -> HTTPRequest
  ) async throws -> HTTPResponse? {
    try await share.gate.semaphore.withPermit {
      // While this one stood in line, others may have found out.
      try share.refuseLeftAlone(request.address)
      if !isRetry, share.gate.retrying.isFull { return nil }
      let permit = try await waitForRate(of: share)
      let start = time.now
      share.gate.noteBegin(at: start)
      do {
        let response = try await carry(prepare(request), with: permit, into: filter)
        share.gate.noteEnd(ExchangeEnd(response), since: start, at: time.now)
        return response
      } catch {
        let end = ExchangeEnd(failedAfter: filter.telling?.status)
        share.gate.noteEnd(end, since: start, at: time.now)
        throw error
      }
    }
  }

  /// A rate that an exchange keeps to, and the bytes that are set aside for it.
  private typealias RatePermit = (bucket: Locked<TokenBucket>, deposit: Int)

  /// Waits until something may come from an origin; `nil` where it may at any time.
  private func waitForRate(of share: OriginShare) async throws -> RatePermit? {
    guard let bucket = share.gate.bucket else { return nil }
    while true {
      let now = time.now
      switch bucket.withLock({ $0.admit(at: now) }) {
      case .now(let deposit): return (bucket, deposit)
      case .later(let wait): try await time.sleep(for: wait)
      }
    }
  }

  private func carry(
    _ request: HTTPRequest, with permit: RatePermit?, into filter: AnswerFilter
  ) async throws -> HTTPResponse {
    guard let permit else { return try await transport.exchange(request, into: filter) }
    let (waits, continuation) = AsyncStream<Duration>.makeStream()
    let paced = PacedReceiver(
      filter, bucket: permit.bucket, deposit: permit.deposit, time: time, waits: continuation)
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

/// What a client keeps of one origin: its number at the gate that it shares with others, and how
/// the origin has fared.
struct OriginShare: Sendable {
  let gate: OriginGate
  /// The number by which the client leaves the gate.
  let number: Int
  private let record: Locked<OriginRecord>

  init(_ policy: ClientPolicy, gate: OriginGate, number: Int) {
    (self.gate, self.number) = (gate, number)
    record = Locked(OriginRecord(failuresUntilGivenUp: policy.failuresUntilGivenUp))
  }

  /// Makes sure that an address isn't left alone. Once it is, it stays so.
  ///
  /// - Throws: ``TransportError`` with the code `originGivenUp` or `directoryGivenUp`.
  func refuseLeftAlone(_ address: WebAddress) throws(TransportError) {
    switch record.withLock({ $0.leftAlone(address) }) {
    case nil: return
    case .origin: throw TransportError(.originGivenUp, at: "\(address.origin)")
    case .directory(let path):
      throw TransportError(.directoryGivenUp, at: "\(address.origin)\(path)")
    }
  }

  /// The address was answered in a way that isn't a passing failure.
  func noteAnswer(from address: WebAddress) {
    record.withLock { $0.noteAnswer(from: address) }
  }

  /// A fetch used up its retries at this address; whether a head came in the last one.
  func noteExhausted(at address: WebAddress, wasAnswered: Bool) {
    record.withLock { $0.noteExhausted(at: address, wasAnswered: wasAnswered) }
  }
}

/// How an origin has fared with one client, and what of it is left alone for the rest of the run.
///
/// A directory in which one fetch after the other uses up its retries is left alone, and what lies
/// elsewhere is asked for all the same. The whole origin is left alone when, since anything went
/// well, as many fetches got no answer; or when ones from as many directories failed, or three
/// times as many in all.
struct OriginRecord: Equatable {
  enum Part: Equatable {
    case origin
    /// A directory with this path, which ends with a slash.
    case directory(Substring)
  }

  /// After how many failures.
  private let limit: Int
  private var isGivenUp = false
  /// How many fetches failed in each directory, since one of it went well.
  private var failures: [Substring: Int] = [:]
  /// What failed since anything went well: how often in each directory, where what counts for one
  /// has a limit, and how often without an answer.
  private var failing: [Substring: Int] = [:]
  private var unanswered = 0

  init(failuresUntilGivenUp limit: Int) {
    self.limit = max(1, limit)
  }

  /// What an address belongs to that is left alone; `nil` where it may be asked for.
  func leftAlone(_ address: WebAddress) -> Part? {
    if isGivenUp { return .origin }
    guard !failures.isEmpty, case let directory = address.directory,
      failures[directory, default: 0] >= limit
    else { return nil }
    return .directory(directory)
  }

  mutating func noteAnswer(from address: WebAddress) {
    unanswered = 0
    guard !failures.isEmpty, case let directory = address.directory else { return }
    failing = [:]
    if failures[directory, default: 0] < limit { failures[directory] = nil }
  }

  mutating func noteExhausted(at address: WebAddress, wasAnswered: Bool) {
    let directory = address.directory
    failures[directory, default: 0] += 1
    failing[directory] = min(limit, failing[directory, default: 0] + 1)
    if !wasAnswered { unanswered += 1 }
    let isEverywhere = failing.count >= limit || failing.values.reduce(0, +) / 3 >= limit
    isGivenUp = isGivenUp || unanswered >= limit || isEverywhere
  }
}

extension WebAddress {
  fileprivate var directory: Substring { path[...(path.lastIndex(of: "/") ?? path.startIndex)] }
}

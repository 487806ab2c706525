private import SyncEssentials
private import SyncLock
package import SyncText

/// Fetches and sends over a transport as a sync wants it: follows redirects, tries again what may
/// heal and bears it, keeps secrets with their origin, is gentle with servers, and gives up on
/// those that keep failing.
///
/// One client is one run: what it learned of an origin ends with it, or with the last of those that
/// share its limits.
package final class HTTPClient: Sendable {
  private let attempt: Attempt
  private let retry: RetryPolicy
  private let time: Timeline
  private let random: @Sendable () -> Double
  private let onEvent: (@Sendable (TransportEvent) -> Void)?

  /// A client.
  ///
  /// - Parameters:
  ///   - transport: carries the exchanges.
  ///   - policy: how servers are treated.
  ///   - access: what is sent to which origin only.
  ///   - limits: shared with other clients, which then keep each origin's limits together. Its
  ///     clock counts. By default the client has limits of its own.
  ///   - clock: measures waits and rates.
  ///   - random: from 0 up to 1, for the spread of waits.
  ///   - today: the date, for a `Retry-After` that is one; the server's own `Date` goes first.
  ///   - onEvent: told of retries and redirects, on any thread.
  package init(
    _ transport: any Transport, policy: ClientPolicy = ClientPolicy(),
    access: OriginAccess = OriginAccess(), limits: OriginLimits? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
    today: (@Sendable () -> HTTPDate)? = nil,
    onEvent: (@Sendable (TransportEvent) -> Void)? = nil
  ) {
    let limits = limits ?? OriginLimits(clock: clock)
    time = limits.time
    retry = policy.retry
    attempt = Attempt(
      pacer: OriginPacer(transport, policy: policy, limits: limits), access: access,
      rule: RedirectRule(limit: policy.redirects),
      today: today ?? { HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970)) },
      onEvent: onEvent)
    self.random = random
    self.onEvent = onEvent
  }

  /// The client is done: those that share its limits needn't heed its own any more. What is under
  /// way then is over.
  package func leave() {
    attempt.pacer.leave()
  }

  /// Whether the number of requests that go on at once is found out.
  package var adaptsRequests: Bool { attempt.pacer.adaptsRequests }

  /// Where the number of requests adapts: has `teller` told how many callers are of use, each time
  /// that there are more than before.
  package func tellUsefulCallers(to teller: @escaping @Sendable (Int) -> Void) {
    attempt.pacer.tellUsefulCallers(to: teller)
  }

  /// How many more exchanges with an origin would begin at this moment, where their number is found
  /// out; `nil` where it isn't, or the origin has answered over a connection that carries many.
  package func room(at origin: Origin) -> Int? {
    guard adaptsRequests else { return nil }
    let gate = attempt.pacer.share(of: origin).gate
    return gate.isMultiplexed ? nil : gate.semaphore.room
  }

  /// Fetches, and hands the body of a 2xx answer to the receiver, which must start over each time
  /// that it's told to begin. Other bodies are dropped, and a 304 doesn't reach the receiver.
  ///
  /// - Returns: a response with status 2xx or 304, from the last hop.
  /// - Throws: ``TransportError``; `CancellationError`; what the receiver threw, at once.
  package func fetch(
    _ request: FetchRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    switch try await perform(request, wanting: .successes, into: receiver) {
    case .answered(let response): return response
    case .failed(let failure): throw failure.error
    }
  }

  /// Sends a request and gives the answer with its body, whatever its status: 304, 401, 409 and 412
  /// are answers like any other. A failure that may pass (408, 425, 429, 5xx) is tried again where
  /// the request bears it, and is the answer when it stays. So is a redirect that isn't followed:
  /// 301 and 302 to a request that doesn't only ask. After a 303 the request was taken, and the
  /// answer is that of the fetch that followed; its address tells.
  ///
  /// - Parameter limit: the most bytes of the body, after decoding.
  /// - Throws: ``TransportError`` when no whole answer came; with the code `bodyTooLarge`, which
  ///   tells the limit, when its body is longer. `CancellationError`.
  package func answer(to request: FetchRequest, limit: Int) async throws -> HTTPAnswer {
    let receiver = DataReceiver(limit: limit)
    let response: HTTPResponse
    switch try await perform(request, wanting: .every, into: receiver) {
    case .answered(let answered): response = answered
    case .failed(let failure):
      guard let answer = failure.answer else { throw failure.error }
      response = answer
    }
    return HTTPAnswer(response: response, body: receiver.bytes)
  }

  /// Tries, and tries again as long as that is of use and does no harm.
  private func perform(
    _ request: FetchRequest, wanting wanted: AnswerFilter.Wanted, into receiver: any BodyReceiver
  ) async throws -> Attempt.Outcome {
    var tries = Tries(of: request)
    let first = try await attempt.make(tries.leg, of: request, wanting: wanted, into: receiver)
    guard case .failed(let failure) = first, let wait = wait(after: failure, &tries, of: request)
    else { return first }
    attempt.pacer.noteWait()
    return try await attempt.pacer.share(of: failure.address.origin).gate.retrying.withPermit {
      try await retry(request, tries, after: wait, wanting: wanted, into: receiver)
    }
  }

  private func retry(
    _ request: FetchRequest, _ before: Tries, after first: Duration,
    wanting wanted: AnswerFilter.Wanted, into receiver: any BodyReceiver
  ) async throws -> Attempt.Outcome {
    var (tries, next) = (before, first)
    while true {
      try await time.sleep(for: next)
      let outcome = try await attempt.make(
        tries.leg, of: request, isRetry: true, wanting: wanted, into: receiver)
      guard case .failed(let failure) = outcome,
        let wait = wait(after: failure, &tries, of: request)
      else { return outcome }
      next = wait
    }
  }

  /// How far a fetch has come: where its next attempt begins, and the number of the next retry.
  private struct Tries {
    var leg: Attempt.Leg
    var number = 1

    init(of request: FetchRequest) {
      leg = Attempt.Leg(request: request.request, address: request.request.address)
    }
  }

  /// How long to wait before the next attempt; `nil` when a further one is of no use.
  private func wait(
    after failure: Attempt.Failure, _ tries: inout Tries, of request: FetchRequest
  ) -> Duration? {
    if let next = failure.next { tries.leg = next }
    let wait = retry.wait(
      after: failure.error, retry: tries.number, random: random(),
      isRepeatable: tries.leg.request.isRepeatable)
    guard let wait else {
      attempt.pacer.share(of: failure.address.origin)
        .noteExhausted(at: failure.address, wasAnswered: failure.wasAnswered)
      return nil
    }
    onEvent?(
      .retrying(
        address: request.request.address, retry: tries.number, wait: wait, reason: failure.error))
    tries.number += 1
    return wait
  }
}

private import Foundation
private import SyncLock

/// Fetches over a transport as a mirror wants it: follows redirects, tries again what may heal,
/// keeps secrets with their origin, is gentle with servers, and gives up on those that keep
/// failing.
///
/// One client is one run: what it learned of an origin ends with it.
package final class HTTPClient: Sendable {
  private let transport: any Transport
  private let policy: ClientPolicy
  private let access: OriginAccess
  private let time: Timekeeper
  private let random: @Sendable () -> Double
  private let today: @Sendable () -> HTTPDate
  private let onEvent: (@Sendable (TransportEvent) -> Void)?
  private let desks = Locked<[Origin: OriginDesk]>([:])

  /// A client.
  ///
  /// - Parameters:
  ///   - transport: carries the exchanges.
  ///   - policy: how servers are treated.
  ///   - access: what is sent to which origin only.
  ///   - clock: measures waits and rates.
  ///   - random: from 0 up to 1, for the spread of waits.
  ///   - today: the date, for a `Retry-After` that is one; the server's own `Date` goes first.
  ///   - onEvent: told of retries, redirects and given-up origins, on any thread.
  package init(
    _ transport: any Transport, policy: ClientPolicy = ClientPolicy(),
    access: OriginAccess = OriginAccess(), clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
    today: (@Sendable () -> HTTPDate)? = nil,
    onEvent: (@Sendable (TransportEvent) -> Void)? = nil
  ) {
    self.transport = transport
    self.policy = policy
    self.access = access
    time = Timekeeper(clock)
    self.random = random
    self.today = today ?? { HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970)) }
    self.onEvent = onEvent
  }

  /// Fetches, and hands the body of a 2xx answer to the receiver, which must start over each time
  /// that it's told to begin. Other bodies are dropped, and a 304 doesn't reach the receiver.
  ///
  /// - Returns: a response with status 2xx or 304, from the last hop.
  /// - Throws: ``TransportError``; `CancellationError`; what the receiver threw, at once.
  package func fetch(
    _ request: FetchRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    var retry = 1
    while true {
      switch try await attempt(request, into: receiver) {
      case .answered(let response): return response
      case .failed(let error, let desk, let origin):
        let wait = policy.retry.wait(after: error, retry: retry, random: random())
        guard let wait else {
          if desk.noteExhausted() { onEvent?(.gaveUp(origin)) }
          throw error
        }
        let address = request.request.address
        onEvent?(.retrying(address: address, retry: retry, wait: wait, reason: error))
        retry += 1
        try await time.sleep(wait)
      }
    }
  }

  /// What an attempt came to, when the fetch may go on.
  private enum Outcome {
    case answered(HTTPResponse)
    case failed(TransportError, OriginDesk, Origin)
  }

  /// Follows redirects from the first address on.
  private func attempt(
    _ request: FetchRequest, into receiver: any BodyReceiver
  ) async throws -> Outcome {
    let rule = RedirectRule(limit: policy.redirects)
    var first = request.request
    if let fresh = request.headersPerAttempt?() { first.headers.add(fresh) }
    var address = first.address
    var hops = 0
    while true {
      if let admits = request.admits { first.admits = { [address] in admits(address.host, $0) } }
      if let met = request.onConnected {
        first.onConnected = { [address] in met(address.host, $0) }
      }
      let outcome = try await visit(address, for: first, into: receiver)
      if let failure = try Self.failure(of: outcome, by: request.check) {
        return .failed(failure, desk(for: address.origin), address.origin)
      }
      guard case .answered(let response) = outcome,
        RedirectRule.isRedirect(response.status)
      else { return outcome }
      let target = try rule.target(of: response.head, hops: hops)
      onEvent?(.redirected(from: address, to: target, status: response.status))
      address = target
      hops += 1
    }
  }

  /// Why a whole answer that the transport found right is to be asked for again.
  private static func failure(
    of outcome: Outcome, by check: (@Sendable (HTTPResponse) throws -> Void)?
  ) throws -> TransportError? {
    guard let check, case .answered(let response) = outcome,
      (200...299).contains(response.status)
    else { return nil }
    do {
      try check(response)
      return nil
    } catch let error as TransportError where error.isTransient {
      return error
    }
  }

  /// One exchange, and what its answer means. A redirect counts as answered.
  private func visit(
    _ address: WebAddress, for first: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> Outcome {
    let desk = desk(for: address.origin)
    var hop = first
    hop.address = address
    hop.headers = access.headers(of: first, to: address.origin)
    hop.usesNetrc = access.allowsNetrc(for: address.origin)
    let filter = AnswerFilter(receiver)
    let response: HTTPResponse
    do {
      response = try await exchange(hop, at: desk, into: filter)
    } catch {
      if let refusal = filter.refusal { throw refusal }
      if error is CancellationError { throw error }
      if let head = filter.unwanted {
        // Its status says more than how its body ended.
        response = HTTPResponse(head: head, bodyBytes: 0)
      } else if let error = error as? TransportError, error.isTransient {
        return .failed(error, desk, address.origin)
      } else {
        throw error
      }
    }
    return try judge(response, at: desk)
  }

  private func judge(_ response: HTTPResponse, at desk: OriginDesk) throws -> Outcome {
    let status = response.status
    if (200...299).contains(status) || status == 304 || RedirectRule.isRedirect(status) {
      desk.noteAnswer()
      return .answered(response)
    }
    var error = TransportError(.status(status), at: response.address)
    error.retryAfter = response.headers["Retry-After"].flatMap { RetryAfter($0) }
      .map { $0.wait(at: response.date ?? today()) }
    if error.isTransient { return .failed(error, desk, response.address.origin) }
    desk.noteAnswer()
    throw error
  }

  private func exchange(
    _ request: HTTPRequest, at desk: OriginDesk, into filter: AnswerFilter
  ) async throws -> HTTPResponse {
    try refuseIfGivenUp(desk, request.address.origin)
    return try await desk.semaphore.withPermit {
      // While this one stood in line, others may have found out.
      try refuseIfGivenUp(desk, request.address.origin)
      let start = time.now()
      desk.noteBegin(at: start)
      do {
        let response = try await carry(request, at: desk, into: filter)
        desk.noteEnd(
          bytes: response.bodyBytes, status: response.status, since: start, at: time.now())
        return response
      } catch {
        desk.noteEnd(bytes: 0, status: filter.unwanted?.status, since: start, at: time.now())
        throw error
      }
    }
  }

  /// Over the transport, at the pace that is allowed.
  private func carry(
    _ request: HTTPRequest, at desk: OriginDesk, into filter: AnswerFilter
  ) async throws -> HTTPResponse {
    guard let bucket = desk.bucket else {
      return try await transport.exchange(request, into: filter)
    }
    let (waits, continuation) = AsyncStream<Duration>.makeStream()
    let paced = PacedReceiver(filter, bucket: bucket, time: time, waits: continuation)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [time] in
        for await end in waits {
          try await time.sleep(max(.zero, end - time.now()))
          paced.endWait()
        }
      }
      let response = try await transport.exchange(request, into: paced)
      group.cancelAll()
      return response
    }
  }

  private func refuseIfGivenUp(_ desk: OriginDesk, _ origin: Origin) throws {
    if desk.isGivenUp { throw TransportError(.originGivenUp, at: "\(origin)") }
  }

  private func desk(for origin: Origin) -> OriginDesk {
    desks.withLock { desks in
      if let desk = desks[origin] { return desk }
      let desk = OriginDesk(policy, at: time.now())
      desks[origin] = desk
      return desk
    }
  }
}

import SyncText

/// One attempt at a request: from an address, over redirects, to an answer.
struct Attempt: Sendable {
  let pacer: OriginPacer
  let access: OriginAccess
  let rule: RedirectRule
  let today: @Sendable () -> HTTPDate
  let onEvent: (@Sendable (TransportEvent) -> Void)?

  /// What an attempt came to, when another one may follow. By reference, since a task that waits
  /// for it has room set aside for each place where it is looked at. For the same reason, nothing
  /// that doesn't wait is inlined here.
  indirect enum Outcome {
    case answered(HTTPResponse)
    case failed(Failure)
  }

  struct Failure {
    var error: TransportError
    var address: WebAddress
    /// Whether a head came.
    var wasAnswered: Bool
    /// The whole answer that it is, if it's one.
    var answer: HTTPResponse?
    /// Where the next attempt begins when the request was taken, and only what came of it couldn't
    /// be fetched.
    var next: Leg?
  }

  /// What is asked, and where an attempt begins. By reference, for the same reason.
  final class Leg: Sendable {
    /// Its address stays the first one, whose origin its headers are for.
    let request: HTTPRequest
    let address: WebAddress

    init(request: HTTPRequest, address: WebAddress) {
      (self.request, self.address) = (request, address)
    }
  }

  func make(
    _ leg: Leg, of request: FetchRequest, isRetry: Bool = false,
    wanting wanted: AnswerFilter.Wanted, into receiver: any BodyReceiver
  ) async throws -> Outcome {
    var (hop, address, hops, next) = (leg.request, leg.address, 0, Leg?.none)
    if let fresh = request.headersPerAttempt?() { hop.headers.add(fresh) }
    while true {
      Self.ask(request, of: &hop, at: address)
      let filter = AnswerFilter(receiver, wanted: wanted, method: hop.method)
      var outcome = try await visit(
        address, for: hop, isRetry: isRetry, wanting: wanted, through: filter)
      if let error = try Self.failure(of: outcome, by: request.check) {
        outcome = .failed(Failure(error: error, address: address, wasAnswered: true))
      }
      switch outcome {
      case .failed(var failure):
        failure.next = next
        return .failed(failure)
      case .answered(let response):
        pacer.share(of: address.origin).noteAnswer(from: address)
        let course = RedirectRule.course(after: response.status, to: hop.method)
        guard let course, course != .stay else { return outcome }
        let target = try rule.target(of: response.head, hops: hops)
        onEvent?(.redirected(from: address, to: target, status: response.status))
        if course == .fetch {
          if !hop.method.isSafe { next = Leg(request: leg.request.asFetch, address: target) }
          hop = hop.asFetch
        }
        address = target
        hops += 1
      }
    }
  }

  /// Has the hop ask what the request asks of each host.
  @inline(never)
  private static func ask(
    _ request: FetchRequest, of hop: inout HTTPRequest, at address: WebAddress
  ) {
    if let admits = request.admits { hop.admits = { [address] in admits(address.host, $0) } }
    if let met = request.onConnected {
      hop.onConnected = { [address] in met(address.host, $0) }
    }
  }

  /// Why a whole answer that the transport found right is to be asked for again.
  @inline(never)
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
    _ address: WebAddress, for first: HTTPRequest, isRetry: Bool,
    wanting wanted: AnswerFilter.Wanted, through filter: AnswerFilter
  ) async throws -> Outcome {
    var hop = first
    hop.address = address
    hop.headers = access.headers(of: first, to: address.origin)
    hop.usesNetrc = access.allowsNetrc(for: address.origin)
    let response: HTTPResponse
    var isWhole = true
    do {
      response = try await exchange(hop, into: filter, isRetry: isRetry)
    } catch {
      if error is CancellationError { throw error }
      if let head = filter.telling {
        response = HTTPResponse(head: head, bodyBytes: 0)
        isWhole = false
      } else if let refusal = filter.refusal {
        throw refusal
      } else if let error = error as? TransportError, error.isTransient {
        return .failed(
          Failure(error: error, address: address, wasAnswered: filter.hasHead))
      } else {
        throw error
      }
    }
    if response.status == 400, address.scheme == "http",
      TLSComplaint.isOfPlainText(filter.unwantedStart)
    {
      throw TransportError(.onlyTLS, at: address)
    }
    if wanted == .successes, let complaint = BucketComplaint(response, filter.unwantedStart) {
      throw complaint.error(
        at: address, now: today(), signedFor: access.signedRegion(for: address.origin))
    }
    return try judge(response, isWhole: isWhole, wanting: wanted, to: hop.method)
  }

  /// One exchange, or two where the server wants a proof of the password in place of the password:
  /// it is asked without either before it is told a password that others could read.
  private func exchange(
    _ hop: HTTPRequest, into filter: AnswerFilter, isRetry: Bool
  ) async throws -> HTTPResponse {
    if access.tellsTooMuch(hop),
      let answer = try await askWithoutPassword(hop, into: filter, isRetry: isRetry)
    {
      return answer
    }
    let prepare = { [access, today] in access.signed(access.proving($0), at: today()) }
    let wasProof = access.wantsProof(hop)
    let response = try await pacer.exchange(
      hop, into: filter, isRetry: isRetry, preparing: prepare)
    // Several may have been sent before the first of them learned what the server wants.
    guard access.learn(from: response, to: hop), !wasProof else { return response }
    return try await pacer.exchange(hop, into: filter, isRetry: isRetry, preparing: prepare)
  }

  /// Finds out what the server wants. Gives the answer, where it wants nothing or fails for now.
  private func askWithoutPassword(
    _ hop: HTTPRequest, into filter: AnswerFilter, isRetry: Bool
  ) async throws -> HTTPResponse? {
    let open = access.withoutPassword(hop)
    var question = open
    (question.method, question.body) = (.head, nil)
    let nobody = AnswerFilter(DataReceiver(limit: 0), wanted: .successes, method: .head)
    let answer = try await pacer.exchange(question, into: nobody, isRetry: isRetry)
    if TransportError.isTransient(status: answer.status) { return answer }
    guard answer.status >= 400, answer.status != 401 else {
      _ = access.learn(from: answer, to: hop)
      return nil
    }
    // Not every server answers such a question.
    let response = try await pacer.exchange(open, into: filter, isRetry: isRetry)
    guard response.status == 401 else { return response }
    _ = access.learn(from: response, to: hop)
    return nil
  }

  @inline(never)
  private func judge(
    _ response: HTTPResponse, isWhole: Bool, wanting wanted: AnswerFilter.Wanted,
    to method: HTTPRequest.Method
  ) throws -> Outcome {
    let (status, address) = (response.status, response.address)
    if status >= 400, case let error = error(for: response), error.isTransient {
      return .failed(
        Failure(
          error: error, address: address, wasAnswered: true, answer: isWhole ? response : nil))
    }
    let isRight =
      (200...299).contains(status) || status == 304 || RedirectRule.isFollowed(status, to: method)
    switch wanted {
    case _ where isRight, .every: return .answered(response)
    case .successes:
      pacer.share(of: address.origin).noteAnswer(from: address)
      guard RedirectRule.course(after: status, to: method) == .stay else {
        throw error(for: response)
      }
      throw TransportError(
        .badRedirect, at: response.address,
        detail: "a \(status) leaves open what becomes of a \(method.name)")
    }
  }

  private func error(for response: HTTPResponse) -> TransportError {
    var error = TransportError(.status(response.status), at: response.address)
    let asked =
      response.headers["Retry-After"].flatMap { RetryAfter($0) }
      ?? RetryAfter(rateLimitOf: response.status, response.headers)
    error.retryAfter = asked.map { $0.wait(at: response.date ?? today()) }
    return error
  }
}

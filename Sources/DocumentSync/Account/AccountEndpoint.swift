/// An endpoint whose requests are sent under an account: what the server refuses with 401 is sent
/// once more, under newer credentials if there are any.
///
/// The token is renewed once for however many requests were refused under it. A second 401 is given
/// on, and the account is ``AccountStatus/refused(name:)``. While somebody is about to sign in,
/// requests wait; signing in itself doesn't go through here. While nobody is signed in, none is
/// made: what reads throws an ``EndpointError`` with the reason `impossible`, and a push ends so.
///
/// The endpoint inside asks the account for what each request shows; it makes the request a new one
/// each time that it's called.
package struct AccountEndpoint: WrappingEndpoint {
  let inner: any DocumentEndpoint
  private let account: Account

  package init(_ inner: any DocumentEndpoint, account: Account) {
    self.inner = inner
    self.account = account
  }

  /// The same, with an endpoint that is made with what it asks for the field `Authorization`.
  package init(
    account: Account,
    _ inner: (_ authorization: @escaping @Sendable () async throws -> String?)
      -> any DocumentEndpoint
  ) {
    self.init(inner { try await account.authorization() }, account: account)
  }

  /// Asks for one document to be stored, removed or shown.
  @concurrent package func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    let first: Int
    do { first = try await entry() } catch { return EndpointReply<PushEnd>(error) }
    let reply = await inner.push(request)
    guard reply.end.isUnauthorized, let second = await numberToRepeatUnder(after: first) else {
      return reply
    }
    let again = await inner.push(request)
    if again.end.isUnauthorized { account.refusedAgain(under: second) }
    return again
  }

  /// Asks the same of several documents in one request. Of those that the server refused with 401,
  /// and only of those, it's asked once more.
  @concurrent package func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    let first: Int
    do { first = try await entry() } catch { return EndpointReply<BatchEnd>(.whole(error.end)) }
    let reply = await inner.push(batch: requests)
    let places = reply.unauthorized(of: requests.count)
    guard !places.isEmpty, let second = await numberToRepeatUnder(after: first) else {
      return reply
    }
    let again = await inner.push(batch: places.map { requests[$0] })
    if !again.unauthorized(of: places.count).isEmpty { account.refusedAgain(under: second) }
    return reply.replacing(places, of: requests.count, by: again)
  }

  // MARK: - Under which credentials

  /// Makes a call, and once more where the server wants other credentials.
  func call<Reply: Sendable>(
    _ ask: () async throws -> Reply, date: (Reply) -> Int64?
  ) async throws -> Reply {
    let first: Int
    do {
      first = try await entry()
    } catch {
      try Task.checkCancellation()
      throw error
    }
    do {
      return try await ask()
    } catch let error as EndpointError where error.isUnauthorized {
      guard let second = try await account.numberToRepeatUnder(after: first) else { throw error }
      do {
        return try await ask()
      } catch let error as EndpointError where error.isUnauthorized {
        account.refusedAgain(under: second)
        throw error
      }
    }
  }

  private func entry() async throws(EndpointError) -> Int {
    do {
      return try await account.numberToSendUnder()
    } catch is CancellationError {
      throw EndpointError(.unreachable)
    } catch {
      throw EndpointError(.impossible("\(error)"))
    }
  }

  /// Of a push whose task is cancelled meanwhile there is an answer: the refusal.
  private func numberToRepeatUnder(after number: Int) async -> Int? {
    (try? await account.numberToRepeatUnder(after: number)) ?? nil
  }
}

extension EndpointError {
  /// Whether the server wants other credentials.
  fileprivate var isUnauthorized: Bool {
    guard case .refused(401, _, _) = reason else { return false }
    return true
  }
}

extension PushEnd {
  /// Whether the server wants other credentials.
  fileprivate var isUnauthorized: Bool {
    guard case .answered(let answer) = self else { return false }
    return answer.status == 401
  }
}

extension EndpointReply<BatchEnd> {
  /// The places of the requests, of so many, for which the server wants other credentials.
  fileprivate func unauthorized(of count: Int) -> [Int] {
    switch end {
    case .whole(let end): end.isUnauthorized ? Array(0..<count) : []
    case .parts(let parts): parts.indices.filter { $0 < count && parts[$0].end.isUnauthorized }
    }
  }

  /// The reply in which those at some places are answered by another one.
  fileprivate func replacing(
    _ places: [Int], of count: Int, by again: EndpointReply<BatchEnd>
  ) -> EndpointReply<BatchEnd> {
    guard places.count < count, case .parts(var parts) = end else { return again }
    switch again.end {
    case .whole(let end):
      for place in places { parts[place] = EndpointReply<PushEnd>(end, notes: again.notes) }
    case .parts(let newer):
      // What a short answer says nothing of is as it would be without the rest of it.
      for (offset, place) in places.enumerated() {
        parts[place] = offset < newer.count ? newer[offset] : EndpointReply<PushEnd>(.lost)
      }
    }
    return EndpointReply<BatchEnd>(.parts(parts), notes: again.notes)
  }
}

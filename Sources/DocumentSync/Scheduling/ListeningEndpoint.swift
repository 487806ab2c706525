import SyncLock

/// What the end of a request shows beside what was said.
struct HeardAnswer: Sendable, Equatable {
  /// Whether the server can be reached; `nil` where it shows nothing of that: an answer that can't
  /// be understood may be a portal's.
  var sign: Connectivity.Sign?
  /// The server's own time, and when it was asked and answered by our clock; `nil` where none was
  /// told, or not by the server.
  var time: ServerTime.Heard?
}

/// An endpoint that has somebody hear of the end of each request.
///
/// It changes nothing of what is asked and answered.
struct ListeningEndpoint: WrappingEndpoint {
  let inner: any DocumentEndpoint
  private let now: @Sendable () -> Int64
  private let hear: @Sendable (HeardAnswer) async -> Void

  /// Listens to `inner`.
  ///
  /// - Parameters:
  ///   - now: what time it is, in milliseconds since 1970.
  ///   - hear: is told before who asked is.
  init(
    _ inner: any DocumentEndpoint, now: @escaping @Sendable () -> Int64,
    hear: @escaping @Sendable (HeardAnswer) async -> Void
  ) {
    self.inner = inner
    self.now = now
    self.hear = hear
  }

  @concurrent func push(_ request: PushRequest) async -> PushReply {
    let began = now()
    let reply = await inner.push(request)
    await heard(reply.end.sign, reply.notes.date, since: began)
    return reply
  }

  @concurrent func push(batch requests: [PushRequest]) async -> BatchReply {
    let began = now()
    let reply = await inner.push(batch: requests)
    let sign: Connectivity.Sign? =
      switch reply.end {
      case .whole(let end): end.sign
      // Where they were sent one by one, the last one shows most.
      case .parts(let parts): parts.last { $0.end.isOfARequest }?.end.sign ?? .answered
      }
    await heard(sign, reply.notes.date, since: began)
    return reply
  }

  func call<Reply: Sendable>(
    _ ask: () async throws -> Reply, date: (Reply) -> Int64?
  ) async throws -> Reply {
    let began = now()
    do {
      let reply = try await ask()
      await heard(.answered, date(reply), since: began)
      return reply
    } catch let error as EndpointError {
      await heard(error.sign, error.notes.date, since: began)
      throw error
    }
  }

  private func heard(_ sign: Connectivity.Sign?, _ date: Int64?, since began: Int64) async {
    let time =
      sign == .answered
      ? date.map { ServerTime.Heard(date: $0, sentAt: began, receivedAt: now()) } : nil
    if sign != nil || time != nil { await hear(HeardAnswer(sign: sign, time: time)) }
  }
}

extension EndpointError {
  fileprivate var sign: Connectivity.Sign? {
    switch reason {
    case .refused: .answered
    case .unreadable, .impossible: nil
    case .lost: .silent
    case .unreachable: .unreachable
    }
  }
}

extension PushEnd {
  fileprivate var sign: Connectivity.Sign? {
    switch self {
    case .answered: .answered
    case .unreadable, .impossible: nil
    case .lost: .silent
    case .unreachable: .unreachable
    }
  }

  /// Whether it's certain that a request was made.
  fileprivate var isOfARequest: Bool {
    switch self {
    case .answered, .unreadable, .lost: true
    case .unreachable, .impossible: false
    }
  }
}

/// Hears the time of a server with its answers, and has the store know when it differs from ours.
///
/// Nothing is written as long as nothing changes.
final class ServerTimeKeeper: Sendable {
  private let store: DocumentStore
  private let server: String
  private let rule: ServerTime.Rule
  private let known = Locked<ServerTime?>(nil)
  private let turns = Turns()

  init(_ store: DocumentStore, server: String, rule: ServerTime.Rule = ServerTime.Rule()) {
    self.store = store
    self.server = server
    self.rule = rule
  }

  /// An answer came. What can't be written now is heard again with the next one.
  func heard(_ answer: ServerTime.Heard) async {
    try? await turns.alone { [self] in
      let before = try await time()
      var time = before
      time.heard(answer)
      guard time != before else { return }
      let changed = time
      try await store.sync { [server] in try $0.setTime(changed, of: server) }
      known.withLock { $0 = changed }
    }
  }

  private func time() async throws -> ServerTime {
    if let known = known.withLock({ $0 }) { return known }
    let time = try await store.read { [server, rule] in try $0.time(of: server, rule) }
    known.withLock { $0 = time }
    return time
  }
}

/// An endpoint in whose place closures send the documents of single collections.
struct RoutedEndpoint: WrappingEndpoint {
  let inner: any DocumentEndpoint
  private let senders: [String: (send: DocumentSender, limit: Duration)]
  private let sleep: @Sendable (Duration) async throws -> Void

  init(
    _ inner: any DocumentEndpoint, _ collections: [SyncedCollection], clock: some Clock<Duration>
  ) {
    self.inner = inner
    senders = Dictionary(
      collections.compactMap { item in
        item.sender.map { (item.name, ($0, item.longestSend)) }
      },
      uniquingKeysWith: { first, _ in first })
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    guard request.kind != .look, let sender = senders[request.collection] else {
      return await inner.push(request)
    }
    return await end(of: request, by: sender.send, within: sender.limit)
  }

  @concurrent func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    guard requests.contains(where: { senders[$0.collection] != nil }) else {
      return await inner.push(batch: requests)
    }
    var parts: [EndpointReply<PushEnd>] = []
    for request in requests { parts.append(await push(request)) }
    return EndpointReply<BatchEnd>(.parts(parts))
  }

  private func end(
    of request: PushRequest, by sender: @escaping DocumentSender, within limit: Duration
  ) async -> EndpointReply<PushEnd> {
    await withTaskGroup(of: EndpointReply<PushEnd>.self) { group in
      group.addTask {
        do {
          return EndpointReply(Self.success(of: request, try await sender(request)))
        } catch let error as EndpointError {
          return EndpointReply(error.isRefusal ? error.end : .lost, notes: error.notes)
        } catch {
          return EndpointReply(.lost)
        }
      }
      group.addTask { [sleep] in
        try? await sleep(limit)
        return EndpointReply(.lost)
      }
      let first = await group.next() ?? EndpointReply(.lost)
      group.cancelAll()
      return first
    }
  }

  private static func success(of request: PushRequest, _ version: DocumentVersion?) -> PushEnd {
    .answered(PushAnswer(status: request.kind == .create ? 201 : 200, version: version))
  }
}

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

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    let began = now()
    let reply = await inner.push(request)
    await heard(reply.end.sign, reply.notes.date, since: began)
    return reply
  }

  @concurrent func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
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
  fileprivate var isRefusal: Bool { if case .refused = reason { true } else { false } }

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

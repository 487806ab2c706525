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

  @concurrent func push(_ request: PushRequest) async -> PushReply {
    guard request.kind != .look, let sender = senders[request.collection] else {
      return await inner.push(request)
    }
    return PushReply(await end(of: request, by: sender.send, within: sender.limit))
  }

  @concurrent func push(batch requests: [PushRequest]) async -> BatchReply {
    guard requests.contains(where: { senders[$0.collection] != nil }) else {
      return await inner.push(batch: requests)
    }
    var parts: [PushReply] = []
    for request in requests { parts.append(await push(request)) }
    return BatchReply(parts: parts)
  }

  private func end(
    of request: PushRequest, by sender: @escaping DocumentSender, within limit: Duration
  ) async -> PushEnd {
    await withTaskGroup(of: PushEnd.self) { group in
      group.addTask {
        do {
          return Self.success(of: request, try await sender(request))
        } catch let refusal as SendRefusal {
          return .answered(PushAnswer(status: refusal.status, words: refusal.words))
        } catch {
          return .lost
        }
      }
      group.addTask { [sleep] in
        try? await sleep(limit)
        return .lost
      }
      let first = await group.next() ?? .lost
      group.cancelAll()
      return first
    }
  }

  private static func success(of request: PushRequest, _ version: DocumentVersion?) -> PushEnd {
    .answered(PushAnswer(status: request.kind == .create ? 201 : 200, version: version))
  }
}

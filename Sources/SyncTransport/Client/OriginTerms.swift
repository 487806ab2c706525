/// Decides how many exchanges with one origin go on at once, and how fast its bytes may come, for
/// all clients that share it: what the strictest of them allows.
struct OriginTerms: Equatable {
  private struct Client: Equatable {
    var requests: Int
    var streams: Int
    var adapts: Bool
    var bytesPerSecond: Int64?
  }

  private var clients: [Int: Client] = [:]
  private var lastNumber = 0
  private var adaptive: AdaptiveLimit?
  /// Whether the origin has answered over a connection that carries many exchanges.
  private var isMultiplexed = false

  /// Whether nobody has to do with the origin any more.
  var isIdle: Bool { clients.isEmpty }

  /// How many exchanges may go on at once.
  var permits: Int {
    let most = max(1, clients.values.map(isMultiplexed ? \.streams : \.requests).min() ?? 1)
    guard let adaptive, clients.values.contains(where: \.adapts) else { return most }
    return min(most, adaptive.limit)
  }

  /// The most bytes of bodies a second; `nil` is without limit.
  var bytesPerSecond: Int64? { clients.values.compactMap(\.bytesPerSecond).min() }

  /// A client has to do with the origin from now on; answers the number by which it leaves.
  mutating func enter(_ policy: ClientPolicy, at now: Duration) -> Int {
    lastNumber += 1
    clients[lastNumber] = Client(
      requests: policy.requestsPerOrigin, streams: policy.streamsPerOrigin,
      adapts: policy.adaptsRequests, bytesPerSecond: policy.bytesPerSecond)
    if policy.adaptsRequests {
      let most = isMultiplexed ? policy.streamsPerOrigin : policy.requestsPerOrigin
      adaptive?.allow(most)
      adaptive = adaptive ?? AdaptiveLimit(atMost: most, at: now)
    }
    return lastNumber
  }

  /// That client is done.
  mutating func leave(_ number: Int) {
    clients[number] = nil
  }

  /// An exchange begins.
  mutating func began(at now: Duration) {
    adaptive?.began(at: now)
  }

  /// An exchange that began at `start` has ended; see ``AdaptiveLimit``.
  mutating func ended(_ end: ExchangeEnd, since start: Duration, at now: Duration) {
    if end.isMultiplexed, !isMultiplexed {
      isMultiplexed = true
      let most = clients.values.filter(\.adapts).map(\.streams).max()
      if let most { adaptive?.allow(most) }
    }
    adaptive?.ended(bytes: end.bytes, isRefusal: end.isRefusal, since: start, at: now)
  }
}

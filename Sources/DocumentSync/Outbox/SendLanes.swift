/// Which collections may be sent from, while other requests are under way.
///
/// A collection is a lane: its entries go in order, so that none of them is sent before the request
/// with the one before it has ended. Lanes go side by side. A batch that one lane doesn't fill may
/// take from others, which are all busy until it has ended.
struct SendLanes: Sendable, Equatable {
  /// The most requests side by side.
  let limit: Int
  /// The lanes of each request under way.
  private(set) var underWay: [Int: Set<String>] = [:]

  /// - Parameter limit: the most requests side by side. By default 2.
  init(limit: Int = 2) {
    self.limit = max(1, limit)
  }

  /// The lanes that the next request may take from, in this order; none if it must wait.
  ///
  /// - Parameters:
  ///   - heads: the number of the first entry that is ready, in each lane that has one.
  ///   - isProbing: whether the server was in trouble when it was last heard of: then one request
  ///     at a time shows whether it has recovered.
  func free(heads: [String: Int64], isProbing: Bool) -> [String] {
    guard underWay.count < (isProbing ? 1 : limit) else { return [] }
    let busy = underWay.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    return heads.filter { !busy.contains($0.key) }
      .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  /// A request with this number, of its own, has begun, with entries of these lanes.
  mutating func began(_ request: Int, from lanes: Set<String>) {
    underWay[request] = lanes
  }

  mutating func ended(_ request: Int) {
    underWay[request] = nil
  }
}

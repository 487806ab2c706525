import SyncLock
import SyncTransport

/// What the connections of a process share: transports, so that what is connected is used by all
/// and counted once, and the limits of each origin.
///
/// Connections that reach the network in another way, with other certificates or through another
/// proxy, have transports of their own; the limits of origins hold over all.
package final class ConnectionPool: Sendable {
  private struct Shared: Sendable {
    var configuration: TransportConfiguration
    var transport: any Transport
    var users: Int
  }

  /// A transport, for one that uses it.
  struct Lease: Sendable {
    let transport: any Transport
    var limits: OriginLimits { pool.limits }
    fileprivate let pool: ConnectionPool
    fileprivate let number: Int

    /// The one that used it has nothing under way any more. After the last one it's closed.
    func end() async {
      await pool.giveBack(number)
    }
  }

  fileprivate let limits: OriginLimits
  private let state = Locked(State())

  private struct State: Sendable {
    var shared: [Int: Shared] = [:]
    var lastNumber = 0
  }

  /// A pool for connections that wait by this clock.
  package init(clock: any Clock<Duration> = ContinuousClock()) {
    limits = OriginLimits(clock: clock)
  }

  package var transports: Int { state.withLock { $0.shared.count } }

  /// A transport of that configuration: one that is there, or a new one.
  func take(
    _ configuration: TransportConfiguration,
    making make: (TransportConfiguration) throws -> any Transport
  ) rethrows -> Lease {
    try state.withLock { state in
      let known = state.shared.first { $0.value.configuration == configuration }
      var shared =
        try known?.value
        ?? Shared(configuration: configuration, transport: make(configuration), users: 0)
      shared.users += 1
      if known == nil { state.lastNumber += 1 }
      let number = known?.key ?? state.lastNumber
      state.shared[number] = shared
      return Lease(transport: shared.transport, pool: self, number: number)
    }
  }

  private func giveBack(_ number: Int) async {
    let unused = state.withLock { state -> (any Transport)? in
      state.shared[number]?.users -= 1
      guard let found = state.shared[number], found.users == 0 else { return nil }
      state.shared[number] = nil
      return found.transport
    }
    await unused?.close()
  }
}

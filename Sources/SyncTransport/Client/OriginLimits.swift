internal import SyncLock

/// What several clients share, so that the limits of an origin hold for all of them together: how
/// many exchanges at once, how many bytes a second. Where they allow different numbers, the lowest
/// one of those that have to do with the origin at that time holds.
///
/// What was learned of an origin ends with the last of them.
package final class OriginLimits: Sendable {
  /// Measures for all of them, since each would count from another beginning.
  let time: Timeline
  private let gates = Locked<[Origin: OriginGate]>([:])

  /// Limits for clients that wait by this clock.
  package init(clock: any Clock<Duration> = ContinuousClock()) {
    time = Timeline(clock)
  }

  /// How many origins somebody has to do with.
  var count: Int { gates.withLock { $0.count } }

  /// The gate of an origin that somebody has to do with.
  subscript(origin: Origin) -> OriginGate? { gates.withLock { $0[origin] } }

  /// A client begins to ask an origin.
  func enter(_ origin: Origin, _ policy: ClientPolicy) -> (gate: OriginGate, number: Int) {
    let now = time.now
    let (gate, (number, wakeups)) = gates.withLock { gates in
      let gate = gates[origin] ?? OriginGate()
      gates[origin] = gate
      return (gate, gate.enter(policy, at: now))
    }
    wakeups.tell()
    return (gate, number)
  }

  /// The client that got this number is done with the origin.
  func leave(_ origin: Origin, _ number: Int) {
    gates.withLock { gates in
      guard let (wasLast, wakeups) = gates[origin]?.leave(number) else { return Wakeups() }
      if wasLast { gates[origin] = nil }
      return wakeups
    }.tell()
  }
}

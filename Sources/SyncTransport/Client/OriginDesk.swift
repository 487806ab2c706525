internal import SyncLock

/// What a client keeps of one origin: the gate that it shares with others, and how the origin has
/// fared.
final class OriginDesk: Sendable {
  private let gate: OriginGate
  /// The number by which the client leaves the gate.
  let number: Int
  private let record: Locked<OriginRecord>

  /// A desk at a gate that nobody else uses.
  convenience init(_ policy: ClientPolicy, at now: Duration) {
    let gate = OriginGate()
    let (number, wakeups) = gate.enter(policy, at: now)
    self.init(policy, gate: gate, number: number)
    wakeups.tell()
  }

  /// A desk at a gate that the client has entered.
  init(_ policy: ClientPolicy, gate: OriginGate, number: Int) {
    self.gate = gate
    self.number = number
    record = Locked(OriginRecord(failuresUntilGivenUp: policy.failuresUntilGivenUp))
  }

  /// Lets so many exchanges in at once.
  var semaphore: AsyncSemaphore { gate.semaphore }

  /// Held by fetches that failed here and try again.
  var retrying: AsyncSemaphore { gate.retrying }

  /// The rate limit, if there is one.
  var bucket: Locked<TokenBucket>? { gate.bucket }

  /// Makes sure that an address isn't left alone. Once it is, it stays so.
  /// - Throws: ``TransportError`` with the code `originGivenUp` or `directoryGivenUp`.
  func refuseLeftAlone(_ address: WebAddress) throws(TransportError) {
    switch record.withLock({ $0.leftAlone(address) }) {
    case nil: return
    case .origin: throw TransportError(.originGivenUp, at: "\(address.origin)")
    case .directory(let path):
      throw TransportError(.directoryGivenUp, at: "\(address.origin)\(path)")
    }
  }

  func noteBegin(at now: Duration) {
    gate.noteBegin(at: now)
  }

  /// An exchange that began at `start` has ended.
  func noteEnd(_ end: ExchangeEnd, since start: Duration, at now: Duration) {
    gate.noteEnd(end, since: start, at: now)
  }

  /// The address was answered in a way that isn't a passing failure.
  func noteAnswer(from address: WebAddress) {
    record.withLock { $0.noteAnswer(from: address) }
  }

  /// A fetch used up its retries at this address; whether a head came in the last one.
  func noteExhausted(at address: WebAddress, wasAnswered: Bool) {
    record.withLock { $0.noteExhausted(at: address, wasAnswered: wasAnswered) }
  }
}

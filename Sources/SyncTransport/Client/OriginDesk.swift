internal import SyncLock

/// What a client keeps of one origin: its place at the gate that it shares with others, and how the
/// origin has fared.
struct OriginDesk: Sendable {
  let gate: OriginGate
  /// The number by which the client leaves the gate.
  let number: Int
  private let record: Locked<OriginRecord>

  init(_ policy: ClientPolicy, gate: OriginGate, number: Int) {
    (self.gate, self.number) = (gate, number)
    record = Locked(OriginRecord(failuresUntilGivenUp: policy.failuresUntilGivenUp))
  }

  /// Makes sure that an address isn't left alone. Once it is, it stays so.
  ///
  /// - Throws: ``TransportError`` with the code `originGivenUp` or `directoryGivenUp`.
  func refuseLeftAlone(_ address: WebAddress) throws(TransportError) {
    switch record.withLock({ $0.leftAlone(address) }) {
    case nil: return
    case .origin: throw TransportError(.originGivenUp, at: "\(address.origin)")
    case .directory(let path):
      throw TransportError(.directoryGivenUp, at: "\(address.origin)\(path)")
    }
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

/// How an origin has fared with one client, and what of it is left alone for the rest of the run.
///
/// A directory in which one fetch after the other uses up its retries is left alone, and what lies
/// elsewhere is asked for all the same. The whole origin is left alone when, since anything went
/// well, as many fetches got no answer; or when ones from as many directories failed, or three
/// times as many in all.
struct OriginRecord: Equatable {
  /// What is left alone.
  enum Part: Equatable {
    case origin
    /// A directory with this path, which ends with a slash.
    case directory(Substring)
  }

  /// After how many failures.
  private let limit: Int
  private var isGivenUp = false
  /// How many fetches failed in each directory, since one of it went well.
  private var failures: [Substring: Int] = [:]
  /// What failed since anything went well: how often in each directory, where what counts for one
  /// has a limit, and how often without an answer.
  private var failing: [Substring: Int] = [:]
  private var unanswered = 0

  init(failuresUntilGivenUp limit: Int) {
    self.limit = max(1, limit)
  }

  /// What an address belongs to that is left alone; `nil` where it may be asked for.
  func leftAlone(_ address: WebAddress) -> Part? {
    if isGivenUp { return .origin }
    guard !failures.isEmpty, case let directory = address.directory,
      failures[directory, default: 0] >= limit
    else { return nil }
    return .directory(directory)
  }

  mutating func noteAnswer(from address: WebAddress) {
    unanswered = 0
    guard !failures.isEmpty, case let directory = address.directory else { return }
    failing = [:]
    if failures[directory, default: 0] < limit { failures[directory] = nil }
  }

  mutating func noteExhausted(at address: WebAddress, wasAnswered: Bool) {
    let directory = address.directory
    failures[directory, default: 0] += 1
    failing[directory] = min(limit, failing[directory, default: 0] + 1)
    if !wasAnswered { unanswered += 1 }
    let isEverywhere = failing.count >= limit || failing.values.reduce(0, +) / 3 >= limit
    isGivenUp = isGivenUp || unanswered >= limit || isEverywhere
  }
}

extension WebAddress {
  /// The path without its last segment.
  fileprivate var directory: Substring { path[...(path.lastIndex(of: "/") ?? path.startIndex)] }
}

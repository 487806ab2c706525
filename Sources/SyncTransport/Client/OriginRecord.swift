/// How an origin has fared with one client, and what of it is left alone for the rest of the run.
///
/// A directory in which one fetch after the other uses up its retries is left alone, and what lies
/// elsewhere is asked for all the same. The whole origin is left alone when so many fetches in a
/// row got no answer, or when fetches from so many directories failed in a row.
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
  /// What failed since anything went well: where, and how many without an answer.
  private var failing: Set<Substring> = []
  private var unanswered = 0

  /// Nothing is known yet.
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

  /// The address was answered in a way that isn't a passing failure.
  mutating func noteAnswer(from address: WebAddress) {
    unanswered = 0
    guard !failures.isEmpty, case let directory = address.directory else { return }
    failing = []
    if failures[directory, default: 0] < limit { failures[directory] = nil }
  }

  /// A fetch used up its retries.
  mutating func noteExhausted(at address: WebAddress, wasAnswered: Bool) {
    failures[address.directory, default: 0] += 1
    failing.insert(address.directory)
    if !wasAnswered { unanswered += 1 }
    isGivenUp = isGivenUp || unanswered >= limit || failing.count >= limit
  }
}

extension WebAddress {
  /// The path without its last segment.
  fileprivate var directory: Substring { path[...(path.lastIndex(of: "/") ?? path.startIndex)] }
}

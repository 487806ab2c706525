/// Policies that are asked one after the other.
struct PolicyLine {
  enum Voice: Hashable {
    case serverWins, localWins, merge, latest, ask
    /// The edit was put over the server's copy as often as it may be, and nobody else is named.
    case nobody
  }

  /// Who was asked so far, the one who speaks last.
  private(set) var asked: [ConflictPolicy.Name] = []
  private var rest: ArraySlice<ConflictPolicy>
  private let rounds: Int

  init(_ policies: [ConflictPolicy], rounds: Int) {
    rest = policies[...]
    self.rounds = rounds
  }

  /// The next one that has something to say; at the line's end, the server wins.
  mutating func next() -> Voice {
    while let policy = rest.popFirst() {
      asked.append(policy.name)
      switch policy {
      case .serverWins: return .serverWins
      case .localWins(let most) where rounds < most: return .localWins
      case .localWins where rest.isEmpty: return .nobody
      case .localWins: continue
      case .merge: return .merge
      case .latest: return .latest
      case .ask: return .ask
      }
    }
    asked.append(.serverWins)
    return .serverWins
  }
}

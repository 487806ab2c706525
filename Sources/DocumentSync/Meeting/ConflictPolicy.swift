/// Who gives way where both sides changed a document.
///
/// Policies stand in a line: where one can't decide, the next one does, and at the line's end the
/// server wins. Whatever gives way is told as a ``DocumentLoss``. A document that was deleted here
/// stays deleted under every policy.
public enum ConflictPolicy: Sendable, Hashable {
  /// The server's copy is taken. A document that it deleted is gone here as well.
  case serverWins
  /// The edit is put over the server's copy and sent again, and a document that the server deleted
  /// is made again; at most so many times for one edit. Then the next policy decides, and if there
  /// is none, the document is left in conflict, edit and all.
  case localWins(atMost: Int)
  /// Both changes are united member by member. What both changed differently, the next policy
  /// decides. A deletion at the server wins.
  case merge
  /// Of each top-level member the latest change is taken. A deletion at the server wins.
  case latest
  /// The document is left in conflict until somebody decides, also where different members were
  /// edited.
  case ask

  /// A policy without its numbers.
  public enum Name: Sendable, Hashable, CaseIterable {
    /// The server's copy is taken.
    case serverWins
    /// The edit is sent again.
    case localWins
    /// Both are united.
    case merge
    /// The later one of each member is taken.
    case latest
    /// Somebody decides.
    case ask
  }

  /// The policy without its numbers.
  package var name: Name {
    switch self {
    case .serverWins: .serverWins
    case .localWins: .localWins
    case .merge: .merge
    case .latest: .latest
    case .ask: .ask
    }
  }
}

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

/// Who decides where documents of a type meet the server's.
package struct MeetingRules: Sendable {
  package var policies: [ConflictPolicy] = []
  package var mergers: [DocumentPath: MemberMerger] = [:]
  /// The member in which documents say their type.
  package var typeMember = DocumentTypes.usualMember
  /// The members that the server writes itself, whatever it's sent.
  package var serverOwned: Set<String> = []
  /// Where its documents' ids come from, and which members name other documents.
  package var keys = KeyRules()

  /// Whether who decides first takes documents whole, instead of what was changed of them.
  var givesWayWhole: Bool { ![.merge, .latest].contains(policies.first?.name) }
}

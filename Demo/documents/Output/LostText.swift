import Console
import DocumentSync

/// A change that gave way, for people and for programs.
enum LostText {
  static func line(_ change: LostChange) -> String {
    let path = change.loss.path.names.isEmpty ? "" : " \(change.loss.path)"
    let value = change.loss.value.map { "was to be \($0.text)" } ?? "was to be removed"
    return "\(change.number): \(change.id.text.escaped)\(path) \(value); "
      + "\(why(change.loss)), \(time(change.time))"
  }

  static func json(_ change: LostChange) -> String {
    JSONMembers.text { object in
      object.add("lost", change.number)
      object.add("id", change.id.text)
      write(change.loss, to: &object)
      object.add("when", time(change.time))
    }
  }

  static func write(_ loss: DocumentLoss, to object: inout JSONMembers) {
    object.array("path") { names in
      for name in loss.path.names { names.add(name) }
    }
    object.add("value", json: Array((loss.value?.text ?? "null").utf8))
    object.add("why", why(loss))
  }

  private static func why(_ loss: DocumentLoss) -> String {
    let whose = loss.side == .here ? "the edit here" : "the server's value"
    switch loss.reason {
    case .policy(let name): return "\(whose) gave way (\(policy(name)))"
    case .deletion: return "\(whose) gave way to a deletion"
    case .forgotten: return "the server forgot the document"
    case .resigned: return "it was given up"
    case .answered: return "the server stored something else"
    case .accountHadOne: return "who signed in had a change of the same document"
    case .restored: return "what was restored took its place"
    }
  }

  private static func policy(_ name: ConflictPolicy.Name) -> String {
    switch name {
    case .serverWins: "the server wins"
    case .localWins: "the local edit wins"
    case .merge: "merged"
    case .latest: "the latest wins"
    case .ask: "so it was decided"
    }
  }

  private static func time(_ date: Date) -> String {
    Moments.text(date) ?? "an unknown time"
  }
}

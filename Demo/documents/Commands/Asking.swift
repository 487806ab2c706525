import Console
import DocumentSync

/// Asks whoever sits before the program what is to become of a change that the server refused: a
/// line on standard error, an answer on standard input.
enum Asking {
  /// The answer; what can't be understood is asked for again, and where nothing more comes, the
  /// change is left.
  static func answer(_ change: RefusedChange) async -> RefusalAnswer {
    let words = change.words.isEmpty ? "" : ": \(change.words.escaped)"
    let deed = change.content == nil ? "the deletion of " : ""
    Streams.error(
      "documents: the server refused \(deed)\(change.id.text.escaped)"
        + " (\(change.status))\(words)")
    while true {
      Streams.error("documents: leave it, resign it, or try again? [leave/resign/try]")
      guard let line = await InputLine.next() else { return .leave }
      switch line.lowercased().trimmed {
      case "leave", "l", "": return .leave
      case "resign", "r": return .resign
      case "try", "try again", "t": return .tryAgain
      case let other: Streams.error("documents: '\(other.escaped)' is no answer.")
      }
    }
  }
}

extension String {
  /// Without spaces around it.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

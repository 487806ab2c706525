/// What happens again and again is told once, with how often.
extension DocumentEvent {
  /// How often it happened in a row; `nil` for what is told each time.
  var times: Int? {
    switch self {
    case .saved(let times), .stashed(let times), .unanswered(let times), .untaken(let times): times
    case .made, .edited, .deleted, .takenAway, .reverted, .resigned, .retried, .sent, .accepted,
      .removedThere, .refused, .foundOther, .recognised, .met, .conflictEnded, .hidden, .readable:
      nil
    }
  }

  /// Whether it's how a request came to nothing: one that is tried again adds to the one before.
  var isFruitless: Bool {
    switch self {
    case .unanswered, .untaken: true
    case .made, .edited, .saved, .stashed, .deleted, .takenAway, .reverted, .resigned, .retried,
      .sent, .accepted, .removedThere, .refused, .foundOther, .recognised, .met, .conflictEnded,
      .hidden, .readable:
      false
    }
  }
}

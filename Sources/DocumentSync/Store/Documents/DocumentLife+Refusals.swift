extension DocumentLife {
  /// How many times the server has refused what is here, and when it did so last; `nil` if it
  /// hasn't since the last edit.
  var refusals: (count: Int, last: Int64)? {
    var (count, last) = (0, Int64(0))
    for moment in moments.reversed() {
      switch moment.event {
      case .refused:
        count += 1
        last = max(last, moment.time)
      // What goes with a try.
      case .retried, .sent, .unanswered, .untaken, .foundOther, .hidden, .readable, nil: continue
      case .made, .edited, .saved, .stashed, .deleted, .takenAway, .reverted, .resigned, .accepted,
        .removedThere, .recognised, .met, .conflictEnded:
        return count == 0 ? nil : (count, last)
      }
    }
    return count == 0 ? nil : (count, last)
  }
}

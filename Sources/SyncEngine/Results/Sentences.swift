extension String {
  /// With what ends a sentence, once: for what others wrote, with a full stop or without.
  package var ended: String {
    guard let last, !".!?…".contains(last) else { return self }
    return self + "."
  }
}

extension SyncError {
  /// Says of the first failure of a run, in the words given, that it made the run fail.
  package static func sentence(saying first: String, ofFailures count: Int) -> String {
    let more =
      switch count {
      case ...1: ""
      case 2: " There was 1 more failure."
      default: " There were \(count - 1) more failures."
      }
    return "The sync failed: \(first.ended)\(more) Mend the cause, then sync again."
  }
}

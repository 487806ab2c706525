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

extension SyncReport {
  /// Says of a run that succeeded that something is missing all the same.
  static var incompleteness: String {
    "Not every listed item is held yet; the rest comes when the source gives its whole list again."
  }
}

extension SyncReport: CustomStringConvertible {
  /// What the run did, in numbers, and whether anything is missing.
  public var description: String {
    let counts = counts
    let numbers = """
      \(counts.listed) listed, \(counts.removed) removed, \(counts.downloaded) downloaded, \
      \(counts.failed) failed.
      """
    return isComplete == false ? "\(numbers) \(Self.incompleteness)" : numbers
  }
}

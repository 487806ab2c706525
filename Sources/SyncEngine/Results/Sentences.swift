extension String {
  /// With what ends a sentence, once: for what others wrote, with a full stop or without.
  package var ended: String {
    guard let last, !".!?…。！？।؟۔".contains(last) else { return self }
    return self + "."
  }
}

extension SyncError {
  /// What it says, with the words given for the first failure.
  package func sentence(_ words: (SyncFailure<ID>) -> String) -> SyncSentence {
    switch code {
    case .failed:
      let failures = report.passes.last?.failures ?? []
      let first = failures.first.map(words)
      return .failed(first: first?.ended, more: max(0, failures.count - 1))
    case .cancelled: return .cancelled
    case .removalRefused(let count, let local): return .removalRefused(count: count, of: local)
    case .reentrant: return .reentrant(refused)
    case .notListed(let key): return .notListed(key: "\(key)")
    case .leftOut(let key): return .leftOut(key: "\(key)")
    case .stuck(let stage, let key): return .stuck(stage: stage, key: key.map { "\($0)" })
    }
  }
}

extension ListProblem {
  /// What it says.
  package var sentence: SyncSentence {
    switch self {
    case .duplicateKey(let key): .list(.duplicateKey("\(key)"))
    case .updatedAndRemoved(let key): .list(.updatedAndRemoved("\(key)"))
    case .notAskedAbout(let key): .list(.notAskedAbout("\(key)"))
    }
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
    return isComplete == false ? "\(numbers) \(SyncSentence.incomplete)" : numbers
  }
}

/// One thing that went wrong in a pass: where, with which item, and why.
public struct SyncFailure<ID: Hashable & Sendable>: Error, Sendable {
  /// The stage that failed.
  public var stage: SyncStage
  /// The item's key; `nil` when the stage as a whole failed.
  public var key: ID?
  /// The error that the processor threw, or a ``ListProblem`` that the engine found.
  public var cause: any Error

  /// A failure made by hand, for tests of your own code.
  public init(stage: SyncStage, key: ID? = nil, cause: any Error) {
    self.stage = stage
    self.key = key
    self.cause = cause
  }
}

extension SyncFailure: CustomStringConvertible {
  /// Stage, key and cause, for a log: the cause as its type describes itself. For people there is
  /// `localizedDescription`.
  public var description: String {
    let place = key.map { "\(stage.rawValue) of \($0)" } ?? stage.rawValue
    return "\(place) failed: \(cause)"
  }
}

/// A list that a processor gave to the engine and that can't be right. Nothing is done with it.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ListProblem<ID: Hashable & Sendable>: Error, Equatable {
  /// A key stands twice in one list.
  case duplicateKey(ID)
  /// A key is both updated and removed in ``SourceList/changes(updated:removed:)``.
  case updatedAndRemoved(ID)
  /// `itemsToUpdate` returned an item that it wasn't asked about.
  case notAskedAbout(ID)
}

extension ListProblem {
  /// The key that it is about.
  public var key: ID {
    switch self {
    case .duplicateKey(let key), .updatedAndRemoved(let key), .notAskedAbout(let key): key
    }
  }
}

extension ListProblem: CustomStringConvertible {
  /// One sentence that says what to mend.
  public var description: String {
    switch self {
    case .duplicateKey(let key):
      "the key \(key) is listed twice; give every item a key of its own"
    case .updatedAndRemoved(let key):
      "the key \(key) is named both as updated and as removed; name it in one of the two"
    case .notAskedAbout(let key):
      "the item \(key) was returned but not asked about; return only items that were given"
    }
  }
}

extension SyncFailure {
  /// An error of a stage, which may name the item that it is about.
  init(of stage: SyncStage, _ error: any Error) {
    if let failure = error as? SyncFailure {
      self.init(stage: stage, key: failure.key, cause: failure.cause)
    } else {
      self.init(stage: stage, key: (error as? ListProblem<ID>)?.key, cause: error)
    }
  }
}

/// What may have been made under a key that isn't known here, and what names documents without one.
extension OutboxEntry {
  /// The server shows under a key of its own what was sent without an answer.
  mutating func found(as key: DocumentID) -> EntryStep {
    guard isLostCreation else { return .stays }
    unanswered = []
    phase = .setAside(.madeAs(key))
    return .stays
  }

  /// Whether the server may have made it, and the next pull is to show whether it did.
  var isLostCreation: Bool {
    phase == .contested(nil) && (change == .create || change == .delete(base: nil))
      && unanswered.contains { $0.kind == .create }
  }

  /// It's to be deleted, and the server may have made it under a key that isn't known here: only a
  /// pull can show whether it did.
  mutating func isLookedFor() -> EntryStep {
    guard phase == .waiting, change == .delete(base: nil) else { return .stays }
    phase = .contested(nil)
    return .asks
  }

  /// A list of all that there is shows that the server didn't make it.
  mutating func notMade() -> EntryStep {
    guard isLostCreation else { return .stays }
    if change.isDeletion { return .leaves(.neverSent) }
    phase = .waiting
    return .stays
  }

  /// Nothing can show whether the server made it.
  mutating func cannotBeFound() -> EntryStep {
    guard isLostCreation else { return .stays }
    phase = .setAside(.mayBeMade)
    return .stays
  }

  /// Other documents that the content names are called otherwise now.
  ///
  /// - Parameter fresh: the content's number from now on, where a server may know it as it was.
  mutating func renamed(as fresh: Revision) -> EntryStep {
    if !isNeverSent { revision = fresh }
    return .stays
  }

  /// It names others that have no key yet, and waits for them.
  mutating func goesAfter(_ others: Set<DocumentID>) -> EntryStep {
    awaits.formUnion(others)
    return .stays
  }

  /// It doesn't name these any more.
  mutating func goesNoLongerAfter(_ others: Set<DocumentID>) -> EntryStep {
    awaits.subtract(others)
    return .stays
  }

  /// It names others that name it, and none of them can have a key before it's sent.
  mutating func isInCircle(_ refusal: Refusal) -> EntryStep {
    phase = .setAside(.refused(refusal))
    return .stays
  }
}

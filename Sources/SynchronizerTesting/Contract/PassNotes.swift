import OneWaySynchronizer

/// What a ``ProbeProcessor`` saw in one pass.
struct PassNotes<ID: Hashable & Sendable>: Sendable {
  /// How many calls the engine made.
  var calls = 0
  /// Whether the source came to the moment at which it was to misbehave.
  var wasIntercepted = false
  var list: ListNote<ID>?
  /// What `localKeys` answered, and what was held right after.
  var local: (keys: Set<ID>, held: [ID: String])?
  var naming = NamingNotes<ID>()
  /// Keys given to `removeLocalItems`.
  var toRemove: Set<ID> = []
  /// Keys given to `removeLocalItems`, when it returned without an error.
  var removed: Set<ID> = []
  /// Keys that were held before `removeLocalItems` and not after it, without being given to it.
  var lostInRemoval: Set<ID> = []
  /// Keys that `itemsToUpdate` was given, and those that it answered.
  var updates = Choice<ID>()
  /// Keys that `prepareDownload` was given, and those that it answered.
  var downloads = Choice<ID>()
  /// What was held as the previews began, and once they had ended.
  var beforePreviews: [ID: String]?
  var afterPreviews: [ID: String]?
  /// Keys whose preview was fetched.
  var previewed: Set<ID> = []
  /// Keys whose content was asked for.
  var tried: Set<ID> = []
  /// Keys whose content download succeeded.
  var downloaded: Set<ID> = []
  /// Keys that the commit vouched for; empty when there was none.
  var committed: Set<ID> = []
  /// During which call it was first seen that an item is held in another way than before the pass;
  /// only of a plan.
  var changed: [ID: String] = [:]

  struct Choice<Key: Hashable & Sendable>: Sendable {
    var given: Set<Key> = []
    var answered: Set<Key> = []

    /// Whether it was given the key and didn't answer with it.
    func leftOut(_ key: Key) -> Bool { given.contains(key) && !answered.contains(key) }
  }
}

struct ListNote<ID: Hashable & Sendable>: Sendable {
  enum Kind: Sendable {
    case complete
    case partial
    case changes
    case unchanged
  }

  var kind: Kind
  var keys: Set<ID>
  /// The keys that it names as removed.
  var removed: Set<ID> = []

  init<Item: SyncItem>(_ list: SourceList<Item>) where Item.ID == ID {
    kind =
      switch list {
      case .complete: .complete
      case .partial: .partial
      case .changes: .changes
      case .unchanged: .unchanged
      }
    keys = Set(list.items.map(\.id))
    if case .changes(_, let removed) = list { self.removed = removed }
  }
}

extension SourceList {
  /// Those that are there.
  var items: [Item] {
    switch self {
    case .complete(let items), .partial(let items), .changes(let items, _): items
    case .unchanged: []
    }
  }
}

extension PassNotes {
  /// What the calls of the pass say of how an item came to be held as it mustn't be: the first that
  /// went wrong, or `problem` itself where none did; `nil` where it lies in what the processor said
  /// of the key when asked by name, which is a problem of its own.
  func cause(of problem: Violation.Problem, _ key: ID) -> Violation.Problem? {
    if naming.among.contains(key) || naming.withItems.contains(key) { return nil }
    return switch problem {
    case .missing, .notUpdated: whyNotDownloaded(key) ?? problem
    case .notRemoved: whyNotRemoved(key) ?? problem
    default: problem
    }
  }

  private func whyNotDownloaded(_ key: ID) -> Violation.Problem? {
    if list?.kind == .unchanged { return .saidUnchanged }
    if let list, list.kind == .changes, !list.keys.contains(key) { return .leftOutOfChanges }
    if updates.leftOut(key) { return .notChosen }
    return downloads.leftOut(key) ? .leftOutOfDownloads : nil
  }

  private func whyNotRemoved(_ key: ID) -> Violation.Problem? {
    if list?.kind == .unchanged { return .saidUnchanged }
    guard let list, list.kind == .changes else { return nil }
    return list.removed.contains(key) ? nil : .leftOutOfRemovals
  }
}

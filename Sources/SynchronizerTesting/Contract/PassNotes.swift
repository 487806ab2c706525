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
  /// Keys of which `localKeys(among:)` says something else than `localKeys`.
  var misnamed: Set<ID> = []
  /// Whether the two count alike.
  var countsAgree = true
  /// Keys given to `removeLocalItems`.
  var toRemove: Set<ID> = []
  /// Keys given to `removeLocalItems`, when it returned without an error.
  var removed: Set<ID> = []
  /// Keys that were held before `removeLocalItems` and not after it, without being given to it.
  var lostInRemoval: Set<ID> = []
  /// Keys whose content was asked for.
  var tried: Set<ID> = []
  /// Keys whose content download succeeded.
  var downloaded: Set<ID> = []
  /// Keys that the commit vouched for; empty when there was none.
  var committed: Set<ID> = []
}

struct ListNote<ID: Hashable & Sendable>: Sendable {
  var keys: Set<ID>
  /// Whether absence from the list means deletion.
  var isComplete: Bool
  /// Whether vanished items can't be told from those left out.
  var isPartial: Bool

  init<Item: SyncItem>(_ list: SourceList<Item>) where Item.ID == ID {
    let items: [Item]
    switch list {
    case .complete(let all): (items, isComplete, isPartial) = (all, true, false)
    case .partial(let some): (items, isComplete, isPartial) = (some, false, true)
    case .changes(let updated, _): (items, isComplete, isPartial) = (updated, false, false)
    case .unchanged: (items, isComplete, isPartial) = ([], false, false)
    }
    keys = Set(items.map(\.id))
  }
}

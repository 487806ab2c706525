/// Remembers from pass to pass which items are listed and not held as they are listed: what a
/// source that says "nothing changed" doesn't name again.
struct MissingItems<ID: Hashable & Sendable>: Sendable, Equatable {
  /// Their keys; `nil` until a whole list was compared.
  private(set) var keys: Set<ID>?
  /// Whether the items of a whole list were chosen, too: only then was each one that is held looked
  /// at, and may none be missing.
  private var wereChosen = false

  /// Whether there are none, if that is known.
  var isComplete: Bool? {
    guard let keys else { return nil }
    return keys.isEmpty ? (wereChosen ? true : nil) : false
  }

  /// A list that names everything was compared with what is held. Once its items were chosen, too,
  /// nothing counts that was known before.
  mutating func wholeListWasCompared(andItemsChosen areChosen: Bool) {
    if areChosen || keys == nil { keys = [] }
    if areChosen { wereChosen = true }
  }

  /// A list named items that weren't compared with what is held.
  mutating func othersAreListed() { wereChosen = false }

  /// The source has them no more.
  mutating func areGone(_ gone: Set<ID>) {
    if keys?.isEmpty == false { keys?.subtract(gone) }
  }

  mutating func areHeld<Item: SyncItem>(_ items: [Item]) where Item.ID == ID {
    guard keys?.isEmpty == false else { return }
    for item in items { keys?.remove(item.id) }
  }

  /// They are listed, and aren't held, or not as they are listed.
  mutating func mayLack(_ others: some Sequence<ID>) { keys?.formUnion(others) }
}

extension MissingItems {
  /// A pass in which lists were compared has ended: finds out what is listed and not held.
  ///
  /// - Parameters:
  ///   - gone: Keys that the list says are gone.
  ///   - prepared: What was to be downloaded, and what became of it; `nil` where it didn't get as
  ///     far.
  mutating func settle<Item: SyncItem>(
    _ comparison: ListComparison<Item>, gone: Set<ID>,
    prepared: (downloads: [Item], leftOut: Set<ID>, ledger: ItemLedger)?
  ) where Item.ID == ID {
    if comparison.kind == .complete { wholeListWasCompared(andItemsChosen: prepared != nil) }
    areGone(gone)
    guard let (downloads, leftOut, ledger) = prepared else {
      if !comparison.existing.isEmpty { wereChosen = false }
      return mayLack(comparison.newItems)
    }
    areHeld(comparison.existing)
    mayLack(leftOut)
    if ledger.isAllDone { return areHeld(downloads) }
    for (place, item) in downloads.enumerated() {
      if ledger.isDone(place) { areHeld([item]) } else { mayLack([item.id]) }
    }
  }
}

import SyncLock

/// Where a pass tells what those who wait for single items want to know.
protocol PassDesk<Item>: Sendable {
  associatedtype Item: SyncItem

  /// The keys that somebody waits for and of which nothing is known yet.
  var soughtKeys: Set<Item.ID> { get }
  /// The list can't be had; answers those of them that may be held without a look at the source.
  func listFailed() -> Set<Item.ID>
  /// Those of these that are held.
  func found(held: Set<Item.ID>)
  /// The downloads are known.
  func passIsPlanned(_ lookup: PassLookup<Item>)
  func downloadsBegin(on board: DownloadBoard)
  /// The item at a place of the downloads is there for good, before the commit.
  func itemArrived(_ place: Int)
  /// Tell those that it returns when no lock is held. A download stage asks under its lock, in one
  /// step with the failure: who waits from then on waits for another try.
  func itemFailed(_ place: Int, with failure: SyncFailure<Item.ID>) -> Wakeups
  /// The downloads were committed, or that failed.
  func passIsCommitted(_ ledger: ItemLedger)
  /// The pass ends, and nothing more is told of its items; `well` if it came so far without an
  /// error.
  func passCloses(well: Bool)
}

/// Where nobody waits for single items.
struct NobodysDesk<Item: SyncItem>: PassDesk {
  var soughtKeys: Set<Item.ID> { [] }
  func listFailed() -> Set<Item.ID> { [] }
  func found(held: Set<Item.ID>) {}
  func passIsPlanned(_ lookup: PassLookup<Item>) {}
  func downloadsBegin(on board: DownloadBoard) {}
  func itemArrived(_ place: Int) {}
  func itemFailed(_ place: Int, with failure: SyncFailure<Item.ID>) -> Wakeups { Wakeups() }
  func passIsCommitted(_ ledger: ItemLedger) {}
  func passCloses(well: Bool) {}
}

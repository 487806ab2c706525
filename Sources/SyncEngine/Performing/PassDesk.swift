/// Where a pass tells what those who wait for single items want to know.
protocol PassDesk<Item>: Sendable {
  associatedtype Item: SyncItem

  /// The keys that somebody waits for and of which nothing is known yet.
  var soughtKeys: Set<Item.ID> { get }
  /// The downloads are known.
  func passIsPlanned(_ lookup: PassLookup<Item>)
  func downloadsBegin(on board: DownloadBoard)
  /// The item at a place of the downloads is there for good, before the commit.
  func itemArrived(_ place: Int)
  func itemFailed(_ place: Int, with failure: SyncFailure<Item.ID>)
  /// The downloads were committed, or that failed.
  func passIsCommitted(_ ledger: ItemLedger)
  /// The pass ends, and nothing more is told of its items; `well` if it came so far without an
  /// error.
  func passCloses(well: Bool)
}

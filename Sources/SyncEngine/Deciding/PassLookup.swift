import SyncLock

/// How a key stands in a pass whose downloads are known. The tables that it needs are built when
/// it is asked for the first time.
final class PassLookup<Item: SyncItem>: Sendable {
  private let kind: ListKind
  private let listed: [Item]
  private let wanted: [Item]
  private let downloads: [Item]
  /// Keys of which the local side was asked whether it holds them, and the ones that it does.
  private let asked: Set<Item.ID>
  private let held: Set<Item.ID>
  /// Keys that an earlier list named and that weren't held then.
  private let missing: Set<Item.ID>
  private let makeTable: @Sendable ([Item]) -> KeyTable<Item>
  private let tables = Locked<Tables?>(nil)

  private struct Tables {
    let listed: KeyTable<Item>
    let wanted: KeyTable<Item>
    let downloads: KeyTable<Item>
  }

  /// - Parameters:
  ///   - listed: The items of the list; all keys differ.
  ///   - wanted: What was to be downloaded; all keys differ.
  ///   - downloads: What `prepareDownload` made of that; all keys differ.
  init(
    kind: ListKind, listed: [Item], wanted: [Item], downloads: [Item],
    asked: Set<Item.ID>, held: Set<Item.ID>, missing: Set<Item.ID> = [], work: PassWork<Item>
  ) {
    self.kind = kind
    self.listed = listed
    self.wanted = wanted
    self.downloads = downloads
    self.asked = asked
    self.held = held
    self.missing = missing
    makeTable = work.table
  }

  func standing(of key: Item.ID) -> SeekerBook<Item.ID>.Standing {
    let tables = made()
    if let place = tables.downloads.place(of: key) { return .download(place) }
    if tables.wanted.contains(key) { return .leftOut }
    if tables.listed.contains(key) { return .current }
    if kind == .complete { return .notListed }
    guard asked.contains(key) else { return .unknown }
    if missing.contains(key) { return .leftOut }
    return held.contains(key) ? .current : .notListed
  }

  /// Built outside the lock, since keys' own code is called; of two that come at once, both build.
  private func made() -> Tables {
    if let tables = tables.withLock({ $0 }) { return tables }
    let new = Tables(
      listed: makeTable(listed), wanted: makeTable(wanted), downloads: makeTable(downloads))
    tables.withLock { $0 = new }
    return new
  }
}

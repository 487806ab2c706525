import OneWaySynchronizer

/// What a run knows of the local side, and what it decides from it. A value: `sync` acts on the
/// decisions, `plan` only shows them.
struct LocalView: Sendable {
  /// What the index holds, as of now: everything, or, when the listing hasn't changed, what isn't
  /// as it should be.
  private(set) var rows: [CatalogKey: IndexedItem] = [:]
  /// Items whose content the look found gone or edited.
  private(set) var damaged: Set<CatalogKey> = []
  let wants: ItemNeed.Wants

  init(wants: ItemNeed.Wants) {
    self.wants = wants
  }

  /// Takes over what the index holds; it needn't have been told of what the look at the files
  /// found, if there was one.
  mutating func take(_ rows: [CatalogKey: IndexedItem], _ findings: LocalLook.Findings?) {
    self.rows = rows
    guard let findings else { return }
    for key in findings.damaged { self.rows[key]?.content = nil }
    for key in findings.damagedPreviews.keys { self.rows[key]?.preview = nil }
    for (key, stamp) in findings.touched { self.rows[key]?.content?.stamp = stamp }
    damaged = findings.damaged
  }

  /// Forgets an item, and gives what was known of it.
  @discardableResult
  mutating func forget(_ key: CatalogKey) -> IndexedItem? { rows.removeValue(forKey: key) }

  var keys: Set<MirrorItem.ID> { Set(rows.keys.map(MirrorItem.ID.key)) }

  func held(_ id: MirrorItem.ID) -> IndexedItem? {
    id.key.flatMap { rows[$0] }
  }

  /// Whether anything of a row is there to be removed: not of one that was never held, or that an
  /// earlier run found edited.
  func hasSomething(of row: IndexedItem) -> Bool {
    row.content != nil || row.preview != nil || damaged.contains(row.key)
  }

  /// What has to be fetched of an item.
  func need(of item: MirrorItem) -> ItemNeed {
    ItemNeed(
      item, held: held(item.id), isDamaged: item.id.key.map(damaged.contains) ?? false,
      wants: wants)
  }

  /// The file of a preview that the item's entry no longer has.
  func droppedPreview(of item: MirrorItem) -> String? {
    guard let entry = item.entry, entry.preview == nil else { return nil }
    return held(item.id)?.preview?.name
  }

  /// What the engine is told of a listing.
  ///
  /// - Throws: ``MirrorError/emptyListing(held:)`` for one that is complete and empty although
  ///   something is held, unless any removal is allowed.
  func sourceList(
    for listing: Listing, maximumRemoval: MirrorOptions.MaximumRemoval
  ) throws -> SourceList<MirrorItem> {
    if listing.isUnchanged { return repairs }
    guard listing.completeness == .complete else { return .partial(listing.items) }
    let items = listing.items
    if items.isEmpty, !rows.isEmpty, maximumRemoval != .all {
      throw MirrorError.emptyListing(held: rows.count)
    }
    return .complete(items)
  }

  /// Nothing changed at the source: what isn't here as it should be is fetched again from the
  /// entries that the index keeps.
  private var repairs: SourceList<MirrorItem> {
    let incomplete = rows.values
      .map { MirrorItem(subject: .entry($0.entry, isSettled: true)) }
      .filter { !need(of: $0).isNothing }
      .sorted { $0.entry?.key ?? CatalogKey("") < $1.entry?.key ?? CatalogKey("") }
    return incomplete.isEmpty ? .unchanged : .changes(updated: incomplete, removed: [])
  }
}

extension IndexAccess {
  /// What a run has to know before it decides: with an unchanged listing, only what isn't as it
  /// should be. That comes from the rows if there was a look, which reads them all; without one, a
  /// run that trusts the index trusts its own list of them.
  func rows(
    after findings: LocalLook.Findings?, wants: ItemNeed.Wants, listingIsUnchanged: Bool
  ) throws -> [CatalogKey: IndexedItem] {
    var rows: [CatalogKey: IndexedItem] = [:]
    guard listingIsUnchanged else {
      try forEachItem { rows[$0.key] = $0 }
      return rows
    }
    if let findings { return try items(findings.incomplete) }
    if wants.contents { for item in try itemsLackingContent() { rows[item.key] = item } }
    if wants.previews { for item in try itemsLackingPreview() { rows[item.key] = item } }
    return rows
  }
}

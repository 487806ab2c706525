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

  /// Takes over what the index holds, after the look at the files; the index needn't have been told
  /// of the findings.
  mutating func take(_ items: [IndexedItem], _ findings: LocalLook.Findings) {
    rows = Dictionary(items.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for key in findings.damaged { rows[key]?.content = nil }
    for key in findings.damagedPreviews.keys { rows[key]?.preview = nil }
    for (key, stamp) in findings.touched { rows[key]?.content?.stamp = stamp }
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
  /// should be.
  func items(
    besides findings: LocalLook.Findings, wants: ItemNeed.Wants, listingIsUnchanged: Bool
  ) throws -> [IndexedItem] {
    var items: [IndexedItem] = []
    if listingIsUnchanged {
      if wants.contents { items += try itemsWithoutContent() }
      if wants.previews { items += try itemsWithoutPreview() }
      let found = findings.damaged.union(findings.damagedPreviews.keys)
      items += try self.items(found.sorted())
    } else {
      try forEachItem { items.append($0) }
    }
    return items
  }
}

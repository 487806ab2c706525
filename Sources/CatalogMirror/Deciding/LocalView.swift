import SyncEngine

/// What a run knows of the local side, and what it decides from it. A value: ``MirrorProcessor``
/// acts on the decisions, and a plan only shows them.
struct LocalView: Equatable, Sendable {
  /// What the index holds, as of now, of the items that something may have to be done of.
  private(set) var rows: [CatalogKey: IndexedItem] = [:]
  /// How many items the index knows; `nil` when nobody has counted them.
  private(set) var count: Int?
  /// What the look at the files found; `nil` when there was none.
  var findings: LookFindings?
  let wants: ItemNeed.Wants

  init(wants: ItemNeed.Wants, after findings: LookFindings? = nil) {
    (self.wants, self.findings) = (wants, findings)
  }

  /// Takes over what the index holds of some items, of so many in all if they were counted; it
  /// needn't have been told of what the look at the files found, if there was one.
  mutating func take(_ rows: [CatalogKey: IndexedItem], of count: Int? = nil) {
    (self.rows, self.count) = (rows, count)
    guard let findings else { return }
    for key in findings.damaged { self.rows[key]?.content = nil }
    for key in findings.damagedPreviews.keys { self.rows[key]?.preview = nil }
    for (key, stamp) in findings.touched { self.rows[key]?.content?.stamp = stamp }
  }

  /// Forgets an item, and gives what was known of it.
  @discardableResult
  mutating func forget(_ key: CatalogKey) -> IndexedItem? { rows.removeValue(forKey: key) }

  func held(_ id: MirrorItem.ID) -> IndexedItem? {
    rows.isEmpty ? nil : id.key.flatMap { rows[$0] }
  }

  /// Whether anything of a row is there to be removed: not of one that was never held, or that an
  /// earlier run found edited.
  func hasSomething(of row: IndexedItem) -> Bool {
    row.content != nil || row.preview != nil || isDamaged(row.key)
  }

  func need(of item: MirrorItem) -> ItemNeed {
    // Before a first copy there is nothing that a key would tell.
    guard !rows.isEmpty || findings != nil, let key = item.id.key else {
      return ItemNeed(item, held: nil, damage: nil, wants: wants)
    }
    return ItemNeed(item, held: rows[key], damage: damage(of: key), wants: wants)
  }

  /// Whether the look found its content edited: something of somebody's stands there.
  func isEdited(_ key: CatalogKey) -> Bool { damage(of: key) == .edited }

  func isEdited(_ id: MirrorItem.ID) -> Bool { findings != nil && id.key.map(isEdited) ?? false }

  /// Whether the look found its content gone or edited.
  func isDamaged(_ key: CatalogKey) -> Bool { findings?.damaged.contains(key) ?? false }

  private func damage(of key: CatalogKey) -> ItemNeed.Damage? {
    guard findings != nil else { return nil }
    if findings?.unseen[key] != nil { return .unseen }
    guard isDamaged(key) else { return nil }
    return findings?.gone.contains(key) ?? false ? .gone : .edited
  }

  /// The file of a preview that the item's entry no longer has.
  func droppedPreview(of item: MirrorItem) -> String? {
    guard let entry = item.entry, entry.listed.preview == nil else { return nil }
    return held(item.id)?.preview?.name
  }

  /// What the engine is told of a listing that was compared.
  ///
  /// - Throws: ``MirrorError/emptyListing(held:isFiltered:)`` for one that is complete and names
  ///   nothing, so that something would have to go, unless any removal is allowed.
  func sourceList(
    for comparison: ListingComparison, maximumRemoval: MirrorOptions.MaximumRemoval
  ) throws -> SourceList<MirrorItem> {
    let listing = comparison.listing
    let items = items(of: comparison)
    guard let vanished = comparison.vanished else { return .partial(items) }
    // A directory that can't be read vouches for what lies below it, and for nothing else.
    // A list of changes that names nothing new isn't empty: it says of what is gone that it is.
    if listing.completeness == .complete, listing.count == 0, !vanished.isEmpty,
      maximumRemoval != .all
    {
      throw MirrorError.emptyListing(held: comparison.count, isFiltered: comparison.isFiltered)
    }
    return .changes(updated: items, removed: Set(vanished.map(MirrorItem.ID.key)))
  }

  /// In the order of the catalog, but for those that can't be used.
  private func items(of comparison: ListingComparison) -> [MirrorItem] {
    let listing = comparison.listing
    guard !comparison.incomplete.isEmpty else { return listing.items }
    let known = settledItems(comparison.incomplete.map(\.key))
    let usable =
      Array(zip(listing.positions, listing.entries.items))
      + zip(comparison.incomplete.map(\.position), known)
    return usable.sorted { $0.0 < $1.0 }.map(\.1) + listing.unusableItems
  }

  /// Nothing changed at the source: what isn't here as it should be is fetched again from the
  /// entries that the index keeps.
  var repairs: SourceList<MirrorItem> {
    let incomplete = settledItems(rows.keys.sorted()).filter { !need(of: $0).isNothing }
    return incomplete.isEmpty ? .unchanged : .changes(updated: incomplete, removed: [])
  }

  private func settledItems(_ keys: [CatalogKey]) -> [MirrorItem] {
    keys.compactMap { rows[$0] }.map { MirrorItem($0.entry, isSettled: true) }
  }
}

extension IndexAccess {
  /// The items in a scope of which something isn't held as it is listed. That comes from the rows
  /// if there was a look, which reads them all; without one, a run that trusts the index trusts its
  /// own list.
  func incompleteItems(
    after findings: LookFindings?, wants: ItemNeed.Wants, within scope: ScopeBoundary = .none
  ) throws -> [CatalogKey: IndexedItem] {
    var items: [CatalogKey: IndexedItem] = [:]
    if let findings {
      items = try self.items(findings.incomplete)
    } else {
      if wants.contents { for item in try itemsLackingContent() { items[item.key] = item } }
      if wants.previews { for item in try itemsLackingPreview() { items[item.key] = item } }
    }
    if scope.isEverywhere { return items }
    return items.filter { scope.reason(toLeaveOut: $0.value.entry) == nil }
  }
}

/// What has to be fetched of an item, and why: the decision of `itemsToUpdate` for one item.
struct ItemNeed: Equatable, Sendable {
  enum Reason: String, Equatable, Sendable {
    case new
    case changed
    case damaged
    case deleted
    /// Nothing tells whether it changed: the server is asked with the item's own validator.
    case unsettled
    /// It can't be used as the catalog has it.
    case unusable
  }

  enum Doubt: String, Equatable, Sendable {
    /// The catalog says nothing of it that would change with it.
    case unversioned
    /// Its date is, or was when it was fetched, so near to the listing's own that a later change
    /// would bear the same.
    case recent
    /// What is held was fetched when one of these was so.
    case unproven
    /// Only its date is another one, as after a change of the server's time zone.
    case moved
  }

  /// What the look at the files found of a content.
  enum Damage: Equatable, Sendable {
    case gone
    case edited
    case unseen
  }

  var content: Reason?
  var preview: Reason?
  /// Of a content that is `unsettled`.
  var doubt: Doubt?

  var isNothing: Bool { content == nil && preview == nil }

  /// Whether the catalog says that something else may have taken the place of what is held, be it
  /// older: a date is listed, and it is another one, or was too young.
  var mayBeOlder: Bool { doubt == .moved || doubt == .recent }

  /// The reason to show: that of the content, which is the greater part.
  var reason: Reason? { content ?? preview }
}

extension CatalogEntry {
  /// Whether only a date tells it from what is held, the size being the same as far as it is known,
  /// so that the server can tell by what it said of those bytes whether they have changed.
  ///
  /// - Parameter before: The version under which they were listed.
  fileprivate func differsOnlyInDate(
    from held: IndexedContent, listedAs before: ItemVersion
  ) -> Bool {
    guard case .dateAndSize(date: _?, let size) = version, before.isDate, proof == nil,
      checks.isEmpty, held.etag ?? held.lastModified != nil
    else { return false }
    return size ?? self.size == held.size || isAbout(held.size)
  }
}

extension ItemNeed {
  struct Wants: Equatable, Sendable {
    var contents: Bool
    var previews: Bool
  }

  /// Decides for one item.
  ///
  /// - Parameters:
  ///   - held: what the index has of it; `nil` when it knows nothing.
  ///   - damage: what the look at the files found of its content, if anything.
  init(_ item: MirrorItem, held: IndexedItem?, damage: Damage?, wants: Wants) {
    guard case .entry(let entry, _) = item else {
      content = wants.contents ? .unusable : nil
      preview = wants.contents ? nil : .unusable
      return
    }
    if wants.contents { decide(entry.listed, held: held, damage) }
    if wants.previews, let wanted = entry.preview {
      switch held?.preview {
      case nil: preview = .new
      case let preview?: self.preview = preview.version == wanted.ownVersion ? nil : .changed
      }
    }
  }

  private mutating func decide(
    _ entry: CatalogEntry, held item: IndexedItem?, _ damage: Damage?
  ) {
    guard let item, let held = item.content else {
      content =
        switch damage {
        case nil: .new
        case .gone: .deleted
        case .edited, .unseen: .damaged
        }
      return
    }
    if damage == .unseen {
      content = .damaged
      return
    }
    // What proved nothing of the bytes was listed with them all the same.
    let before = held.version == .unknown ? item.entry.version : held.version
    if entry.version == .unknown {
      doubt = .unversioned
    } else if held.version == entry.version {
      // A version is recorded only where it proved something, now as then.
      return
    } else if held.version == .unknown, before == entry.version || before == .unknown {
      // Bytes whose version proved nothing when they were fetched are asked about once more. A date
      // did so if it was too young.
      doubt = entry.version.isDate ? .recent : .unproven
    } else if entry.differsOnlyInDate(from: held, listedAs: before) {
      doubt = .moved
    } else {
      content = .changed
    }
    if doubt != nil { content = .unsettled }
  }
}

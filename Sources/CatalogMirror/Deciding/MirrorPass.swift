import SyncEngine
import SyncText

/// One pass over a mirror's folder as a value: how far it is, what was found, and what is to be
/// done with it. It awaits nothing; ``MirrorProcessor`` does what it says and tells it what
/// happened. A plan is the same pass, of which nothing is done.
///
/// ```
/// opened → looked → listed → decided → fetching → placed → settled
/// ```
/// A pass goes through these in order. One that fails, is cancelled or finds nothing new leaves
/// some out; it is settled from wherever it is.
struct MirrorPass: Equatable, Sendable {
  enum Phase: Int, Equatable, Sendable, CaseIterable {
    case opened
    /// The files that are ours were looked at, or are trusted.
    case looked
    /// It is known what the source has, and what that means for what is held.
    case listed
    /// What has to be fetched of items on both sides was decided.
    case decided
    case fetching
    /// Everything that was fetched is in its place and recorded.
    case placed
    case settled
  }

  struct Rules: Equatable, Sendable {
    var wants: ItemNeed.Wants
    var maximumRemoval = MirrorOptions.MaximumRemoval.guarded
    /// What is fetched in place of what the catalog says; `nil` in an ordinary run.
    var repairs: Repairs?
    /// What is fetched first and placed after everything else.
    var last: [KeyPattern] = []
    /// Whether small files come in packs, where the catalog has some.
    var usesPacks = true
    /// The statuses with which a source may refuse for good what its catalog names.
    var skippedStatuses: Set<Int> = []
  }

  struct Decisions: Equatable, Sendable {
    fileprivate(set) var needs: [MirrorItem.ID: ItemNeed] = [:]
    /// Items that can't be placed, and needn't be fetched, and why.
    fileprivate(set) var misplaced: [MirrorItem.ID: Misplacement] = [:]
    /// Where bytes that are to be had lie already, by their digests.
    fileprivate(set) var heldBytes: [SHA256Digest: HeldBytes] = [:]
    /// Of which items a plan would fetch something, in this order.
    fileprivate(set) var planned: [MirrorItem] = []
    /// Which of them it would fetch together.
    fileprivate(set) var packs = PackPlans()
  }

  struct FolderFacts: Equatable, Sendable {
    /// Whether nothing stood in it, so that nothing needs to be looked for at the places of single
    /// items. What comes there meanwhile is met when they are placed.
    fileprivate(set) var wasEmpty = false
    /// All bytes of its disk, once they matter.
    fileprivate(set) var capacity = Int64.max
  }

  /// What the index has to be told of files that needn't be placed.
  struct Unrecorded: Equatable, Sendable {
    var changes: [IndexChange] = []
    fileprivate(set) var droppedPreviews: [String] = []
    /// Whether files that were adopted may not be on the disk yet.
    var owesFlush = false
  }

  let rules: Rules
  private(set) var phase = Phase.opened
  /// What is known of the local side, as of now.
  private(set) var view: LocalView
  /// The listing, with what to remember of its pages; `nil` until it is there.
  private(set) var fetched: CatalogSource.Fetched?
  /// Items that a complete listing lacks; `nil` when absence from the listing means nothing.
  private(set) var vanished: Set<CatalogKey>?
  /// What a repository has no longer and stays until its next state is there; `nil` where nothing
  /// is known of that.
  private(set) var superseded: Set<CatalogKey>?
  /// What is to be placed after everything else, and whether it may be.
  var last: LastItems
  /// What the last run couldn't have of the source.
  var knownFlaws = KnownFlaws()
  private(set) var decided = Decisions()
  private(set) var folder = FolderFacts()
  var unrecorded = Unrecorded()
  var previews = OrphanedPreviews()
  /// What it did, in numbers, as far as it is.
  var report = MirrorReport(outcome: .done)
  /// How it ended; `nil` until then.
  var ending: MirrorEnding?

  init(_ rules: Rules) {
    self.rules = rules
    view = LocalView(wants: rules.wants)
    last = LastItems(rules.last)
  }

  /// Whether it may be in this phase next: never back, and once settled nothing follows.
  func mayGo(to next: Phase) -> Bool {
    phase != .settled && next.rawValue >= phase.rawValue
  }

  mutating func go(to next: Phase) {
    precondition(mayGo(to: next), "a pass that is \(phase) can't be \(next) next")
    phase = next
  }
}

/// Before anything is fetched.
extension MirrorPass {
  /// A crash had cut removals short, and they are done now: of these items.
  mutating func finishedRemovals(of gone: [IndexedItem]) {
    for item in gone { previews.release(item.preview?.name) }
  }

  /// The files were looked at; or they are trusted, and there was no look.
  ///
  /// - Returns: what the index has to be told.
  @discardableResult
  mutating func looked(_ findings: LookFindings?) -> [IndexChange] {
    go(to: .looked)
    view.findings = findings
    guard let findings else { return [] }
    for (key, error) in findings.unseen { decided.misplaced[.key(key)] = .folder(error) }
    for name in findings.damagedPreviews.values { previews.release(name) }
    // Of rows that went in a run that died before it removed the files.
    for name in findings.orphanedPreviews { previews.release(name) }
    return findings.changes
  }

  /// It is known which scope the last run had.
  mutating func scopeIsKnown(isNew: Bool) { report.hasNewScope = isNew }

  /// The source proved that nothing changed; `rows` is what the index has of the items of which
  /// something isn't held as it is listed, and `packs` are those in which these may lie.
  mutating func unchanged(
    _ fetched: CatalogSource.Fetched, _ rows: [CatalogKey: IndexedItem],
    in packs: ListedPacks = ListedPacks()
  ) -> SourceList<MirrorItem> {
    go(to: .listed)
    self.fetched = fetched
    self.fetched?.listing.packs = packs
    view.take(rows)
    return view.repairs
  }

  /// The listing was compared with what the index holds.
  ///
  /// - Throws: ``MirrorError/emptyListing(held:isFiltered:)``.
  mutating func listed(
    _ comparison: ListingComparison, of pages: [ListingValidators.Page],
    supersededBefore: Set<CatalogKey> = []
  ) throws -> SourceList<MirrorItem> {
    go(to: .listed)
    var comparison = comparison
    comparison.limit(to: rules.maximumRemoval)
    comparison.keepSuperseded(but: supersededBefore, within: rules.maximumRemoval.limit)
    comparison.keep(view.findings?.unseen.keys.sorted() ?? [])
    (report.kept, report.outside) = (comparison.kept, comparison.outside)
    report.leaving = comparison.leaving
    last.add(comparison.listing.notes.last)
    if comparison.listing.unreadable.contains(where: { !$0.isRepetition }) { last.lackListing() }
    fetched = CatalogSource.Fetched(listing: comparison.listing, pages: pages)
    (vanished, superseded) = (comparison.vanished, comparison.superseded)
    view.take(comparison.rows, of: comparison.count)
    return try view.sourceList(for: comparison, maximumRemoval: rules.maximumRemoval)
  }

  /// In place of the catalog's listing: the items that are to be repaired, as the index has them.
  mutating func repairing(_ rows: [CatalogKey: IndexedItem]) -> SourceList<MirrorItem> {
    go(to: .listed)
    view.take(rows)
    let items = rows.values.sorted { $0.key < $1.key }.map { MirrorItem($0.entry, isSettled: true) }
    for case .key(let key) in items.map(\.id) {
      decided.needs[.key(key)] = rules.repairs?.need(of: key)
    }
    return .changes(updated: items, removed: [])
  }

  /// Decides which of the items on both sides have to be fetched.
  mutating func decide(among items: [MirrorItem]) -> [MirrorItem] {
    go(to: .decided)
    guard rules.repairs == nil else { return items }
    var chosen: [MirrorItem] = []
    for item in items {
      let need = view.need(of: item)
      if !need.isNothing {
        decided.needs[item.id] = need
        chosen.append(item)
      } else if let entry = item.entry, view.held(item.id)?.entry != entry.listed {
        // The bytes are the same, but where they come from or what they are called isn't.
        unrecorded.changes.append(.entry(entry.listed))
      }
      if let entry = item.entry, let name = view.droppedPreview(of: item) {
        unrecorded.changes.append(.previewLost(entry.key))
        unrecorded.droppedPreviews.append(name)
      }
    }
    return chosen
  }
}

/// What to do with an item, and with the disk.
extension MirrorPass {
  /// What has to be fetched of an item, and why. For new items, which nobody was asked about, it is
  /// decided here.
  func need(of item: MirrorItem) -> ItemNeed { decided.needs[item.id] ?? view.need(of: item) }

  func held(_ id: MirrorItem.ID) -> IndexedItem? { view.held(id) }

  /// The size of the folder's disk is known: an item that no emptying makes room for fails by
  /// itself, and the others go on.
  mutating func diskIsKnown(capacity: Int64) { folder.capacity = capacity }

  /// Whether nothing stood in the folder before the downloads is known.
  mutating func folderIsKnown(empty: Bool) { folder.wasEmpty = empty }

  /// It is known where bytes that are to be had lie already.
  mutating func heldBytesAreKnown(_ found: [SHA256Digest: HeldBytes]) {
    decided.heldBytes = found
  }

  mutating func planned(_ items: [MirrorItem], in packs: PackPlans = PackPlans()) {
    (decided.planned, decided.packs) = (items, packs)
  }

  /// What a plan says of one of these items.
  func plannedFetch(of item: MirrorItem) -> PlannedFetch {
    PlannedFetch(
      item, need(of: item), held: view.held(item.id), isEdited: view.isEdited(item.id),
      mayBeInPlace: mayBeInPlace(item), sources: CopySources(copies(for: item)))
  }

  mutating func foundMisplaced(_ items: [MirrorItem.ID: Misplacement]) {
    decided.misplaced.merge(items) { first, _ in first }
  }

  /// The downloads are about to begin, of so many items.
  mutating func prepared(_ count: Int = 0) {
    go(to: .fetching)
    last.expect(count)
  }

  /// What the index has to be told of files that needn't be placed; asked for once.
  mutating func takeUnrecorded() -> Unrecorded {
    defer { unrecorded = Unrecorded() }
    return unrecorded
  }

  /// The pass has taken as long as it may, and is cancelled.
  mutating func timeIsUp(after limit: Duration) { report.timeLimit = limit }

  @discardableResult
  mutating func forget(_ key: CatalogKey) -> IndexedItem? { view.forget(key) }
}

import OneWaySynchronizer
import SyncLock

/// A mistake in a ``FeedProcessor``, which makes no other.
enum FeedFault: CaseIterable {
  // Previews.
  case putsPreviewInPlaceOfContent
  case takesPreviewForContent
  case notesVersionWithPreview
  case failsWithoutPreview
  case needsPreviewForContent
  // Plans.
  case removesInPlan
  case downloadsInPlan
  case changesInPlan
  case keepsRevisionOfPlan
  // Lists that aren't whole.
  case takesPartForWhole
  case takesPartForChanges
  case sweepsWhatIsNotNamed
  case keepsRevisionOfPart
  case forgetsWhatIsGone
  case ignoresRemovalsOfChanges
  case dropsChangesOfWhatItHolds
  // Keys that are asked about by name.
  case failsForNoKey
  case namesEveryKey
  case overlooksOthers
  case overlooksItems
  case countsWhatIsAsked
  // What is remembered of a list.
  case keepsRevisionAlways
  case keepsRevisionInMemory
  case keepsOldRevision
  case keepsRevisionUnlessItemsFailed
  /// Also of a plan: all that is listed may be held even so, and something more.
  case keepsRevisionWhereComplete
  // What is downloaded.
  case choosesNothing
  case choosesEverything
  case neverDownloadsAgain
}

/// A processor of texts with previews, which keeps the source's revision to ask what has changed.
final class FeedProcessor: StoreSyncProcessor {
  struct State {
    var kind = PassKind.sync
    /// The revision of the list of this pass, what that named, and of what kind it was.
    var revision: Int?
    var named: Set<String> = []
    var isOfChanges = false
    var isPart = false
    /// The last revision of which a list came.
    var remembered: Int?
  }

  let source: FeedSource
  let store: FeedStore
  let fault: FeedFault?
  let state = Locked(State())

  init(source: FeedSource, store: FeedStore, fault: FeedFault?) {
    (self.source, self.store, self.fault) = (source, store, fault)
  }

  func syncWillBegin(_ kind: PassKind) {
    state.withLock { $0 = State(kind: kind, remembered: $0.remembered) }
  }

  func fetchSourceList() async throws -> SourceList<Text> {
    let kept = store.state.withLock { $0.revision }
    let remembered = state.withLock { $0.remembered }
    let answer = try await source.list(
      since: fault == .keepsRevisionInMemory ? remembered : kept)
    switch answer {
    case .unchanged: return .unchanged
    case .all(let items, let revision):
      note(items, revision)
      return .complete(items)
    case .part(let items, let revision):
      note(items, revision)
      state.withLock { $0.isPart = true }
      return listOfPart(items)
    case .changes(let items, let gone, let revision):
      note(items, revision, isOfAll: false)
      state.withLock { $0.isOfChanges = true }
      return listOfChanges(items, gone)
    }
  }

  /// - Parameter isOfAll: Whether the list isn't one of changes. Once it is worked at, the revision
  ///   of the list before says nothing of what is held.
  private func note(_ items: [Text], _ revision: Int, isOfAll: Bool = true) {
    let isSync = state.withLock { $0.kind } == .sync
    if isOfAll, isSync, fault != .keepsOldRevision {
      store.state.withLock { $0.revision = nil }
    }
    state.withLock { state in
      state.revision = revision
      state.remembered = revision
      state.named = Set(items.map(\.id))
    }
  }

  func localKeys() -> Set<String> {
    store.state.withLock { Set($0.held.keys) }
  }

  func removeLocalItems(_ keys: Set<String>) {
    if fault == .ignoresRemovalsOfChanges, state.withLock({ $0.isOfChanges }) { return }
    store.state.withLock { store in
      for key in keys { (store.held[key], store.previews[key]) = (nil, nil) }
    }
  }

  func itemsToUpdate(among items: [Text]) -> [Text] {
    switch fault {
    case .choosesNothing: return []
    case .choosesEverything: return items
    default: break
    }
    let held = store.state.withLock { $0.held }
    return items.filter { held[$0.id]?.version != $0.version }
  }

  func prepareDownload(of items: [Text]) async throws -> [Text] {
    if state.withLock({ $0.kind }) == .plan { try await misbehaveInPlan(items) }
    guard fault == .neverDownloadsAgain else { return items }
    let held = localKeys()
    return items.filter { !held.contains($0.id) }
  }

  func downloadPreview(of item: Text) async throws {
    if fault == .failsWithoutPreview { throw TextSource.Vanished() }
    try await source.preview(of: item.id) { half in misplacePreview(half, of: item) }
    store.state.withLock { store in
      store.previews[item.id] = "preview of \(item.id)"
      if fault == .notesVersionWithPreview { store.held[item.id]?.version = item.version }
    }
  }

  func downloadContent(of item: Text) async throws {
    let hasPreview = store.state.withLock { $0.previews[item.id] != nil }
    if fault == .needsPreviewForContent, !hasPreview { throw TextSource.Vanished() }
    try await fetch(item)
  }

  func fetch(_ item: Text) async throws {
    var text = ""
    try await source.texts.content(of: item.id) { text += $0 }
    put(item, text)
  }

  private func put(_ item: Text, _ text: String) {
    store.state.withLock { $0.held[item.id] = .init(version: item.version, text: text) }
  }

  func commitDownloads() -> [String: any Error] {
    let (named, isPart) = state.withLock { ($0.named, $0.isPart) }
    if fault == .sweepsWhatIsNotNamed, isPart {
      store.state.withLock { store in store.held = store.held.filter { named.contains($0.key) } }
    }
    return [:]
  }

  func syncDidEnd(_ report: PassReport<String>) {
    guard let revision = keptRevision(report) else { return }
    store.state.withLock { $0.revision = revision }
  }
}

import OneWaySynchronizer
import SyncLock
import SyncText

/// Walks through the stages as a sync does, writes down what it would do, and does nothing.
final class PlanProcessor: SyncProcessor {
  private struct State {
    var view: LocalView
    var findings: LocalLook.Findings?
    var plan = MirrorPlan()
    var needs: [MirrorItem.ID: ItemNeed] = [:]
  }

  private let options: MirrorOptions
  private let inspection: FolderInspection
  private let catalog: CatalogSource
  private let state: Locked<State>

  init(options: MirrorOptions, inspection: FolderInspection, catalog: CatalogSource) {
    self.options = options
    self.inspection = inspection
    self.catalog = catalog
    state = Locked(State(view: LocalView(wants: options.wants)))
  }

  var plan: MirrorPlan { state.withLock { $0.plan } }

  func syncWillBegin() async throws {
    guard !options.trustsIndex, let folder = inspection.folder, let index = inspection.index else {
      return
    }
    let look = LocalLook(
      folder: folder, index: index, queue: inspection.fileQueue, wants: options.wants)
    let findings = try await look.look()
    state.withLock { $0.findings = findings }
  }

  func fetchSourceList() async throws -> SourceList<MirrorItem> {
    let listing = try await fetchListing()
    let (findings, wants) = (state.withLock { $0.findings }, options.wants)
    state.withLock { state in
      state.plan.wasUnchanged = listing.isUnchanged
      state.plan.partial = listing.partialReasons
      state.plan.unreadable = listing.unreadable.map {
        MirrorReport.Failure(key: $0.url, sentence: $0.reason)
      }
    }
    guard let index = inspection.index else {
      return try LocalView(wants: wants).sourceList(
        for: ListingComparison(listing), maximumRemoval: options.maximumRemoval)
    }
    guard !listing.isUnchanged else {
      let rows = try await index.read { try $0.incompleteItems(after: findings, wants: wants) }
      return state.withLock { state in
        state.view.take(rows, findings)
        return state.view.repairs
      }
    }
    var comparison = try await index.read { try $0.compare(listing, findings, wants) }
    comparison.limit(to: options.maximumRemoval)
    let view = state.withLock { [comparison] state in
      state.plan.kept = comparison.kept
      state.view.take(comparison.rows, of: comparison.count, findings)
      return state.view
    }
    return try view.sourceList(for: comparison, maximumRemoval: options.maximumRemoval)
  }

  private func fetchListing() async throws -> Listing {
    let highest = try await highestRevision()
    guard let index = inspection.index else {
      return try await catalog.fetch(CatalogSource.Before(highestRevision: highest)).listing
    }
    return try await catalog.fetch(
      catalog.before(index, fingerprint: options.fingerprint, highestRevision: highest)
    ).listing
  }

  private func highestRevision() async throws -> Int64? {
    guard let folder = inspection.folder else { return nil }
    return try await HighestRevision.read(
      of: options.catalogDigests, in: folder, inspection.index, on: inspection.fileQueue)
  }

  func localKeys() async throws -> Set<MirrorItem.ID> {
    try await inspection.index?.read { try $0.localKeys() } ?? []
  }

  func localKeys(
    among named: Set<MirrorItem.ID>
  ) async throws -> LocalKeys<MirrorItem.ID> {
    let view = state.withLock { $0.view }
    return try await view.localKeys(among: named, of: inspection.index)
  }

  func itemsToUpdate(among items: [MirrorItem]) async throws -> [MirrorItem] {
    let view = state.withLock { $0.view }
    return items.filter { !view.need(of: $0).isNothing }
  }

  func prepareDownload(of items: [MirrorItem]) async throws -> [MirrorItem] {
    state.withLock { state in
      state.plan.fetches = items.map { item in
        MirrorPlan.Fetch(
          key: item.id.description, reason: state.view.need(of: item).reason?.rawValue ?? "new",
          bytes: item.entry?.size)
      }
    }
    return []
  }

  func downloadContent(of item: MirrorItem) async throws {
    preconditionFailure("a plan downloads nothing")
  }

  func removeLocalItems(_ keys: Set<MirrorItem.ID>) async throws {
    state.withLock { state in
      let rows = keys.compactMap(\.key).sorted().compactMap { state.view.rows[$0] }
      state.plan.removals = rows.filter(state.view.hasSomething).map(\.key.description)
    }
  }
}

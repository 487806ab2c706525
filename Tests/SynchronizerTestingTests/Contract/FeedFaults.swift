import OneWaySynchronizer
import SyncLock

/// Where a ``FeedProcessor`` makes its mistakes, and what it does where it makes none.
extension FeedProcessor {
  func listOfPart(_ items: [Text]) -> SourceList<Text> {
    switch fault {
    case .takesPartForWhole: .complete(items)
    case .takesPartForChanges:
      .changes(updated: items, removed: localKeys().subtracting(items.map(\.id)))
    default: .partial(items)
    }
  }

  func listOfChanges(_ items: [Text], _ gone: Set<String>) -> SourceList<Text> {
    let held = localKeys()
    return switch fault {
    case .forgetsWhatIsGone: .changes(updated: items, removed: [])
    case .dropsChangesOfWhatItHolds:
      .changes(updated: items.filter { !held.contains($0.id) }, removed: gone)
    default: .changes(updated: items, removed: gone)
    }
  }

  func localKeys(among named: Set<String>) async throws -> LocalKeys<String> {
    if fault == .failsForNoKey, named.isEmpty { throw TextSource.Vanished() }
    let all = localKeys()
    return LocalKeys(
      keys: fault == .namesEveryKey ? named : all.intersection(named),
      count: fault == .countsWhatIsAsked ? all.intersection(named).count : all.count)
  }

  func localKeys(
    among items: [Text], and others: Set<String>
  ) async throws -> LocalKeys<String> {
    let ids = Set(items.map(\.id))
    return switch fault {
    case .overlooksOthers: LocalKeys(among: ids, of: localKeys())
    case .overlooksItems: LocalKeys(among: others, of: localKeys())
    default: try await localKeys(among: ids.union(others))
    }
  }

  func misbehaveInPlan(_ items: [Text]) async throws {
    switch fault {
    case .removesInPlan:
      let named = state.withLock { $0.named }
      store.state.withLock { store in store.held = store.held.filter { named.contains($0.key) } }
    case .downloadsInPlan:
      let held = localKeys()
      for item in items where !held.contains(item.id) { try await fetch(item) }
    case .changesInPlan:
      store.state.withLock { store in
        for item in items { store.held[item.id]?.text = "to be downloaded" }
      }
    default: break
    }
  }

  func misplacePreview(_ preview: String, of item: Text) {
    store.state.withLock { store in
      switch fault {
      case .putsPreviewInPlaceOfContent: store.held[item.id]?.text = preview
      case .takesPreviewForContent where store.held[item.id] == nil:
        store.held[item.id] = .init(version: item.version, text: preview)
      default: break
      }
    }
  }

  /// The revision to ask with in the next pass; `nil`: as before.
  func keptRevision(_ report: PassReport<String>) -> Int? {
    let state = state.withLock { $0 }
    let mayBeComplete = report.isComplete != false && !state.isPart
    let isDone = state.kind == .sync && report.outcome == .succeeded && mayBeComplete
    return switch fault {
    case .keepsRevisionAlways where state.kind == .sync: state.revision
    case .keepsRevisionOfPlan where state.kind == .plan: state.revision
    case .keepsRevisionOfPart where state.isPart: state.revision
    case .keepsRevisionWhereComplete where report.isComplete == true && !state.isPart:
      state.revision
    case .keepsRevisionUnlessItemsFailed where state.kind == .sync && report.counts.failed == 0:
      state.revision
    default: isDone ? state.revision : nil
    }
  }
}

extension LocalKeys<String> {
  fileprivate init(among named: Set<String>, of all: Set<String>) {
    self.init(keys: all.intersection(named), count: all.count)
  }
}

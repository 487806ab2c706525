import OneWaySynchronizer
import SyncLock

/// A processor whose world decides how long everything takes, and what fails.
final class SimulatedProcessor: StoreSyncProcessor {
  typealias Item = SimulatedItem

  /// Both collections, and what lies between them.
  struct Store: Sendable {
    var remote: [Int: Int] = [:]
    var local: [Int: Int] = [:]
    /// Downloaded and not yet committed.
    var staged: [Int: Int] = [:]
    var lastVersion = 0
    /// How often each item was removed.
    var removals: [Int: Int] = [:]
    /// Whether a pass may have fetched previews alone: then an item is there without being held.
    var maySkipContents = false
    /// One call in so many fails; 0 is never.
    var faults = 0
  }

  let world: World
  let book: EngineBook
  let store: Locked<Store>
  /// Whether an item is held when its download returns, and not only after the commit.
  let commitsEachDownload: Bool

  init(_ world: World, faults: Int) {
    self.world = world
    commitsEachDownload = world.oneIn(2)
    book = EngineBook(world)
    store = Locked(Store(faults: faults))
    for _ in 0..<world.number(0...12) { changeRemote() }
    let remote = store.withLock { $0.remote }
    store.withLock { store in
      for key in remote.keys.sorted() where world.oneIn(2) { store.local[key] = remote[key] }
    }
  }

  /// Adds, changes or drops an item at the source.
  func changeRemote() {
    let (key, drops) = (world.number(0...20), world.oneIn(3))
    store.withLock { store in
      store.lastVersion += 1
      store.remote[key] = drops ? nil : store.lastVersion
    }
  }

  /// Nothing fails any more.
  func calm() { store.withLock { $0.faults = 0 } }

  private var isCalm: Bool { store.withLock { $0.faults == 0 } }

  /// A call of user code: entered in the book, takes a while, fails perhaps.
  private func call<Value: Sendable>(
    _ stage: SyncStage, _ key: Int? = nil, _ body: () throws -> Value
  ) async throws -> Value {
    book.enter(stage, key, isCancelled: Task.isCancelled)
    do {
      try await hesitate()
      if world.oneIn(store.withLock { $0.faults }) { throw SimulatedFault() }
      let value = try body()
      book.leave(stage, nil)
      return value
    } catch {
      book.leave(stage, error)
      throw error
    }
  }

  /// Takes a while; a cancellation may be obeyed, turned into another error, or not heard.
  private func hesitate() async throws {
    do {
      try await world.pause()
    } catch {
      switch world.number(0...3) {
      case 0: break
      case 1: throw SimulatedFault()
      default: throw error
      }
    }
  }
}

/// The stages.
extension SimulatedProcessor {
  func syncWillBegin() async throws { try await call(.begin) {} }

  func fetchSourceList() async throws -> SourceList<SimulatedItem> {
    try await call(.fetchSourceList) {
      let remote = store.withLock { $0.remote }
      let items = remote.sorted { $0.key < $1.key }
        .map { SimulatedItem(id: $0.key, version: $0.value) }
      let list = answer(items)
      book.note { $0.source = list }
      return list
    }
  }

  private func answer(_ items: [SimulatedItem]) -> SourceList<SimulatedItem> {
    guard !isCalm else { return .complete(items) }
    switch world.number(0...11) {
    case 0: return .partial(items.filter { _ in world.oneIn(2) })
    case 1: return .unchanged
    case 2:
      let keys = (0...20).filter { key in !items.contains { $0.id == key } }
      return .changes(updated: items, removed: Set(keys.filter { _ in world.oneIn(2) }))
    case 3 where !items.isEmpty:
      book.note { $0.isBroken = true }
      return world.oneIn(2)
        ? .complete(items + [items[0]]) : .changes(updated: items, removed: [items[0].id])
    default: return .complete(items)
    }
  }

  func localKeys() async throws -> Set<Int> {
    try await call(.localKeys) {
      let local = Set(store.withLock { $0.local.keys })
      book.note { note in
        switch note.source {
        case .complete(let items): note.removals = local.subtracting(items.map(\.id))
        case .changes(_, let removed): note.removals = local.intersection(removed)
        case .partial, .unchanged, nil: note.removals = []
        }
      }
      return local
    }
  }

  func removeLocalItems(_ keys: Set<Int>) async throws {
    book.note { note in
      world.expect(keys == note.removals && !keys.isEmpty, "\(keys) are removed")
      let isAllowed = note.candidates.contains {
        $0.removalLimit.allows(removals: keys.count, of: 1_000) || $0.removalLimit == .unlimited
      }
      world.expect(isAllowed, "\(keys.count) are removed, which is over the limit")
    }
    try await call(.removeLocalItems) {
      store.withLock { store in
        for key in keys {
          store.local[key] = nil
          store.removals[key, default: 0] += 1
        }
      }
      book.note { $0.removed = keys.count }
    }
  }

  func itemsToUpdate(among items: [SimulatedItem]) async throws -> [SimulatedItem] {
    try await call(.itemsToUpdate) {
      let local = store.withLock { $0.local }
      world.expect(items.allSatisfy { local[$0.id] != nil }, "asked about what isn't here")
      var chosen = items.filter { local[$0.id] != $0.version }
      if !isCalm, world.oneIn(40) {
        chosen.append(SimulatedItem(id: 99, version: 0))
        book.note { $0.isBroken = true }
      }
      return chosen
    }
  }

  func prepareDownload(of items: [SimulatedItem]) async throws -> [SimulatedItem] {
    let orders = items.map(\.downloadOrder)
    world.expect(orders == orders.sorted(), "not in order: \(orders)")
    return try await call(.prepareDownload) {
      var items = items
      if !isCalm, world.oneIn(8) { items.removeAll { _ in world.oneIn(3) } }
      if !isCalm, world.oneIn(8) { items.reverse() }
      if !isCalm, world.oneIn(40), let first = items.first {
        items.append(first)
        book.note { $0.isBroken = true }
        return items
      }
      book.note { [items] in $0.prepared = items }
      return items
    }
  }

  func downloadPreview(of item: SimulatedItem) async throws {
    try await call(.downloadPreviews, item.id) {}
  }

  func downloadContent(of item: SimulatedItem) async throws {
    try await call(.downloadContents, item.id) {
      store.withLock { store in
        if commitsEachDownload {
          store.local[item.id] = item.version
        } else {
          store.staged[item.id] = item.version
        }
      }
    }
  }

  func commitDownloads() async throws -> [Int: any Error] {
    try await call(.commitDownloads) {
      let staged = store.withLock { store in
        defer { store.staged = [:] }
        return store.staged
      }
      var failures: [Int: any Error] = [:]
      for (key, version) in staged.sorted(by: { $0.key < $1.key }) {
        if !isCalm, world.oneIn(20) {
          failures[key] = SimulatedFault()
        } else {
          store.withLock { $0.local[key] = version }
        }
      }
      book.note { [failures] in $0.failures += failures.count }
      return failures
    }
  }

  func syncDidEnd(_ report: PassReport<Int>) async {
    book.enter(.end, nil, isCancelled: Task.isCancelled)
    try? await world.pause()
    store.withLock { $0.staged = [:] }
    book.leave(.end, nil)
    book.passEnded(report)
  }
}

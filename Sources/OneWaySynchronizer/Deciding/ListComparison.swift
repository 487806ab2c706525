/// Compares the remote list with the local keys: what vanished, what is on both sides, what is new.
struct ListComparison<Item: SyncItem> {
  /// Local keys that have to go.
  let removals: Set<Item.ID>
  /// Items on both sides, in the order of the list.
  let existing: [Item]
  private let items: [Item]
  /// For each of `items`, whether it is also local.
  private let isLocal: [Bool]

  /// Compares. `list` has passed ``validate(_:)``.
  init(_ list: SourceList<Item>, local: Set<Item.ID>) {
    switch list {
    case .complete(let items):
      self.items = items
      let remote = Set(items.lazy.map(\.id))
      removals = local.isSubset(of: remote) ? [] : local.subtracting(remote)
    case .partial(let items):
      self.items = items
      removals = []
    case .changes(let updated, let removed):
      items = updated
      removals = local.intersection(removed)
    case .unchanged:
      items = []
      removals = []
    }
    isLocal = items.map { local.contains($0.id) }
    existing = isLocal.contains(true) ? zip(items, isLocal).filter(\.1).map(\.0) : []
  }

  /// Finds what makes a list impossible: a key that stands in it twice, or on both sides of it.
  static func validate(_ list: SourceList<Item>) throws(ListProblem<Item.ID>) {
    switch list {
    case .complete(let items), .partial(let items):
      try requireDistinctKeys(items)
    case .changes(let updated, let removed):
      try requireDistinctKeys(updated)
      for item in updated where removed.contains(item.id) { throw .updatedAndRemoved(item.id) }
    case .unchanged:
      break
    }
  }

  /// Finds a key that stands in `items` twice.
  static func requireDistinctKeys(_ items: [Item]) throws(ListProblem<Item.ID>) {
    var seen = Set<Item.ID>(minimumCapacity: items.count)
    for item in items where !seen.insert(item.id).inserted { throw .duplicateKey(item.id) }
  }

  /// New items and the chosen ones among the existing, ascending by `downloadOrder`, ties in the
  /// order of the list.
  func downloads(updating chosen: [Item]) throws(ListProblem<Item.ID>) -> [Item] {
    var waiting: [Item.ID: Item] = [:]
    for item in chosen where waiting.updateValue(item, forKey: item.id) != nil {
      throw .duplicateKey(item.id)
    }
    var downloads: [Item] = []
    for (item, isLocal) in zip(items, isLocal) {
      if !isLocal {
        downloads.append(item)
      } else if !waiting.isEmpty, let update = waiting.removeValue(forKey: item.id) {
        downloads.append(update)
      }
    }
    if let stranger = waiting.keys.first { throw .notAskedAbout(stranger) }
    return Self.inOrder(downloads)
  }

  private static func inOrder(_ items: [Item]) -> [Item] {
    let isOrdered = zip(items, items.dropFirst()).allSatisfy {
      $0.downloadOrder <= $1.downloadOrder
    }
    if isOrdered { return items }
    // The standard sort doesn't promise to be stable; the place in the list breaks ties.
    let keys = items.map(\.downloadOrder)
    return items.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { items[$0] }
  }
}

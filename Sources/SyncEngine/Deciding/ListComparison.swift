/// Compares the remote list with the local keys: what vanished, what is on both sides, what is new.
struct ListComparison<Item: SyncItem> {
  /// Local keys that have to go.
  let removals: Set<Item.ID>
  /// Items on both sides, in the order of the list.
  let existing: [Item]
  let kind: SyncPass.ListKind
  /// The items of the list.
  let items: [Item]
  /// For each of `items`, whether it is also local.
  private let isLocal: [Bool]

  init(_ list: CheckedList<Item>, local: Set<Item.ID>) {
    kind = list.kind
    items = list.items
    isLocal = local.isEmpty ? [] : items.map { local.contains($0.id) }
    existing = items.indices.filter { [isLocal] in !isLocal.isEmpty && isLocal[$0] }
      .map { [items] in items[$0] }
    removals =
      switch list.kind {
      case .complete: existing.count == local.count ? [] : local.filter { !list.keys.contains($0) }
      case .changes: local.intersection(list.removed)
      case .partial, .unchanged: []
      }
  }

  /// New items and the chosen ones among the existing, ascending by `downloadOrder`, ties in the
  /// order of the list.
  func downloads(updating chosen: [Item]) throws(ListProblem<Item.ID>) -> [Item] {
    if existing.isEmpty, chosen.isEmpty { return Self.inOrder(items) }
    var waiting: [Item.ID: Item] = [:]
    for item in chosen where waiting.updateValue(item, forKey: item.id) != nil {
      throw .duplicateKey(item.id)
    }
    var downloads: [Item] = []
    for place in items.indices {
      if isLocal.isEmpty || !isLocal[place] {
        downloads.append(items[place])
      } else if !waiting.isEmpty, let update = waiting.removeValue(forKey: items[place].id) {
        downloads.append(update)
      }
    }
    if let stranger = waiting.keys.first { throw .notAskedAbout(stranger) }
    return Self.inOrder(downloads)
  }

  private static func inOrder(_ items: [Item]) -> [Item] {
    if isInOrder(items) { return items }
    let orders = items.map { $0.downloadOrder }
    // The standard sort doesn't promise to be stable; the place in the list breaks ties.
    return items.indices.sorted { (orders[$0], $0) < (orders[$1], $1) }.map { items[$0] }
  }

  private static func isInOrder(_ items: [Item]) -> Bool {
    var last = Int.min
    for place in items.indices {
      let order = items[place].downloadOrder
      guard last <= order else { return false }
      last = order
    }
    return true
  }
}

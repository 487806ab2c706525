/// Compares the remote list with the local keys: what vanished, what is on both sides, what is new.
@usableFromInline
struct ListComparison<Item: SyncItem>: Sendable {
  /// Local keys that have to go.
  @usableFromInline let removals: Set<Item.ID>
  /// Items on both sides, in the order of the list.
  @usableFromInline let existing: [Item]
  @usableFromInline let kind: ListKind
  /// The items of the list.
  @usableFromInline let items: [Item]
  /// For each of `items`, whether it is also local; empty when none is.
  @usableFromInline let isLocal: [Bool]

  /// Each local key is looked for once: that takes less than a look into the set for each item,
  /// and finds what vanished at the same time.
  @inlinable
  init(_ list: CheckedList<Item>, local: Set<Item.ID>) {
    (kind, items) = (list.kind, list.items)
    var vanished: Set<Item.ID> = []
    var found = 0
    var isLocal = local.isEmpty ? [] : [Bool](repeating: false, count: list.items.count)
    list.keys.lookUp(local) { key, place in
      if let place {
        isLocal[place] = true
        found += 1
      } else if list.kind == .complete {
        vanished.insert(key)
      }
    }
    self.isLocal = found == 0 ? [] : isLocal
    existing = Self.those(isLocal, of: list.items, count: found)
    removals = list.kind == .changes ? local.intersection(list.removed) : vanished
  }

  @inlinable
  static func those(_ marks: [Bool], of items: [Item], count: Int) -> [Item] {
    if count == 0 || count == items.count { return count == 0 ? [] : items }
    var those: [Item] = []
    those.reserveCapacity(count)
    for place in items.indices where marks[place] { those.append(items[place]) }
    return those
  }

  /// New items and the chosen ones among the existing, ascending by `downloadOrder`, ties in the
  /// order of the list.
  @inlinable
  func downloads(updating chosen: [Item]) throws(ListProblem<Item.ID>) -> [Item] {
    if chosen.isEmpty, existing.isEmpty { return Self.inOrder(items) }
    if chosen.isEmpty, existing.count == items.count { return [] }
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

  @inlinable
  static func inOrder(_ items: [Item]) -> [Item] {
    if isInOrder(items) { return items }
    let orders = items.map { $0.downloadOrder }
    // The standard sort doesn't promise to be stable; the place in the list breaks ties.
    return items.indices.sorted { (orders[$0], $0) < (orders[$1], $1) }.map { items[$0] }
  }

  @inlinable
  static func isInOrder(_ items: [Item]) -> Bool {
    var last = Int.min
    for place in items.indices {
      let order = items[place].downloadOrder
      guard last <= order else { return false }
      last = order
    }
    return true
  }
}

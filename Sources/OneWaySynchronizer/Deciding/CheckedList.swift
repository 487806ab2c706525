/// A list in which every key stands once.
struct CheckedList<Item: SyncItem> {
  let kind: SyncPass.ListKind
  /// The items that are there, in the order of the list.
  let items: [Item]
  /// Their keys.
  let keys: Set<Item.ID>
  /// The keys that the source named as removed.
  let removed: Set<Item.ID>

  /// Checks a list; refuses one with a key that stands in it twice, or on both sides of it.
  init(_ list: SourceList<Item>) throws(ListProblem<Item.ID>) {
    switch list {
    case .complete(let items): (kind, self.items, removed) = (.complete, items, [])
    case .partial(let items): (kind, self.items, removed) = (.partial, items, [])
    case .changes(let items, let removed):
      (kind, self.items, self.removed) = (.changes, items, removed)
    case .unchanged: (kind, items, removed) = (.unchanged, [], [])
    }
    keys = try Self.distinctKeys(of: items)
    if let both = removed.first(where: keys.contains) { throw .updatedAndRemoved(both) }
  }

  /// The keys of `items`; refuses one that stands there twice.
  @discardableResult
  static func distinctKeys(of items: [Item]) throws(ListProblem<Item.ID>) -> Set<Item.ID> {
    // A closure, not a key path, which costs a projection an item. Built at once and counted:
    // several times faster than one insertion an item, and the culprit is looked for only when
    // there is one.
    let keys = Set(items.map { $0.id })
    guard keys.count < items.count else { return keys }
    var seen = Set<Item.ID>()
    for item in items where !seen.insert(item.id).inserted { throw .duplicateKey(item.id) }
    return keys
  }
}

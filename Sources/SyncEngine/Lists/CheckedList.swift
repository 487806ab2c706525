/// A list in which every key stands once.
@usableFromInline
struct CheckedList<Item: SyncItem>: Sendable {
  @usableFromInline let kind: ListKind
  /// The items that are there, in the order of the list.
  @usableFromInline let items: [Item]
  /// Which keys they have.
  @usableFromInline let keys: KeyTable<Item>
  /// The keys that the source named as removed.
  @usableFromInline let removed: Set<Item.ID>

  /// Checks a list; refuses one with a key that stands in it twice, or on both sides of it.
  @inlinable
  init(_ list: SourceList<Item>) throws(ListProblem<Item.ID>) {
    switch list {
    case .complete(let items): (kind, self.items, removed) = (.complete, items, [])
    case .partial(let items): (kind, self.items, removed) = (.partial, items, [])
    case .changes(let items, let removed):
      (kind, self.items, self.removed) = (.changes, items, removed)
    case .unchanged: (kind, items, removed) = (.unchanged, [], [])
    }
    keys = try KeyTable(items)
    if let both = removed.first(where: keys.contains) { throw .updatedAndRemoved(both) }
  }
}

extension Array where Element: SyncItem {
  /// Whether these are the keys of `others`, in the same order.
  @inlinable
  func namesTheKeys(of others: [Element]) -> Bool {
    guard count == others.count else { return false }
    for place in indices where self[place].id != others[place].id { return false }
    return true
  }
}

/// What the source answered; see `SourceList`.
@usableFromInline
enum ListKind: Equatable, Sendable {
  case complete
  case partial
  case changes
  case unchanged
}

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

  @inlinable
  init(_ list: CheckedList<Item>, local: Set<Item.ID>) {
    (kind, items) = (list.kind, list.items)
    let (marks, vanished) = Self.compare(list, local)
    let found = marks.count { $0 }
    isLocal = found == 0 ? [] : marks
    existing = Self.marked(marks, of: list.items, count: found)
    removals = list.kind == .changes ? local.intersection(list.removed) : vanished
  }

  /// For each item whether it is local, and which local keys a complete list lacks.
  ///
  /// Most of the time goes into waiting for the memory. Numbers stand in the set itself: to walk
  /// through it and look each up in the list's table, in blocks, takes half as long as to ask the
  /// set. What is larger, such as text, lies anywhere behind the set, and the list's own keys in
  /// order: there, asking takes less.
  @inlinable
  static func compare(
    _ list: CheckedList<Item>, _ local: Set<Item.ID>
  ) -> (isLocal: [Bool], vanished: Set<Item.ID>) {
    if local.isEmpty { return ([], []) }
    let isSmall = MemoryLayout<Item.ID>.size <= MemoryLayout<Int>.size
    return isSmall ? byWalking(list, local) : byAsking(list, local)
  }

  @inlinable
  static func byWalking(
    _ list: CheckedList<Item>, _ local: Set<Item.ID>
  ) -> (isLocal: [Bool], vanished: Set<Item.ID>) {
    var isLocal = [Bool](repeating: false, count: list.items.count)
    var vanished: Set<Item.ID> = []
    list.keys.lookUp(local) { key, place in
      if let place {
        isLocal[place] = true
      } else if list.kind == .complete {
        vanished.insert(key)
      }
    }
    return (isLocal, vanished)
  }

  @inlinable
  static func byAsking(
    _ list: CheckedList<Item>, _ local: Set<Item.ID>
  ) -> (isLocal: [Bool], vanished: Set<Item.ID>) {
    let isLocal = list.items.map { local.contains($0.id) }
    guard list.kind == .complete, isLocal.count(where: { $0 }) < local.count else {
      return (isLocal, [])
    }
    return (isLocal, local.filter { !list.keys.contains($0) })
  }

  @inlinable
  static func marked(_ marks: [Bool], of items: [Item], count: Int) -> [Item] {
    if count == 0 || count == items.count { return count == 0 ? [] : items }
    var marked: [Item] = []
    marked.reserveCapacity(count)
    for place in items.indices where marks[place] { marked.append(items[place]) }
    return marked
  }

  /// The keys of items that are not local.
  var newItems: [Item.ID] {
    items.indices.lazy.filter { isLocal.isEmpty || !isLocal[$0] }.map { items[$0].id }
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

/// Which of the keys that a list names are held locally.
public struct LocalKeys<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Those that are held.
  public var keys: Set<ID>
  /// How many items are held in all, named or not; what ``SyncOptions/removalLimit`` goes by.
  public var count: Int

  /// These keys, of so many that are held.
  public init(keys: Set<ID>, count: Int) {
    self.keys = keys
    self.count = count
  }
}

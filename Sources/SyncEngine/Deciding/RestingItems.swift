/// Items that wait for another attempt, by when they are due.
///
/// They are few, since nothing new starts while there are more of them than downloads at once: a
/// sorted list does.
struct RestingItems: Equatable {
  /// The one that is due first is the last; of those that are due together, the one that came
  /// first.
  private var items: [Item] = []

  private struct Item: Equatable {
    let place: Int
    let due: Duration
  }

  var count: Int { items.count }

  /// When the first one is due; `nil` when none waits.
  var due: Duration? { items.last?.due }

  mutating func insert(_ place: Int, dueAt due: Duration) {
    let index = items.lastIndex { $0.due > due }.map { $0 + 1 } ?? 0
    items.insert(Item(place: place, due: due), at: index)
  }

  /// Takes the first one, if it is due.
  mutating func take(at now: Duration) -> Int? {
    guard let due, due <= now else { return nil }
    return items.removeLast().place
  }

  /// Takes one whether it is due or not; answers whether it was there.
  mutating func remove(_ place: Int) -> Bool {
    guard let index = items.firstIndex(where: { $0.place == place }) else { return false }
    items.remove(at: index)
    return true
  }

  /// Takes all of them.
  mutating func removeAll() -> [Int] {
    defer { items = [] }
    return items.reversed().map(\.place)
  }
}

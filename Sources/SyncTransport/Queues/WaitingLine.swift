/// Decides who may start: so many at once under each key, so many in all, the others in line.
///
/// libcurl could queue too, but it would count the wait against a transfer's connect timeout.
struct WaitingLine<Key: Hashable, Element> {
  private let limitPerKey: Int
  private let limit: Int
  private var total = 0
  private var started: [Key: Int] = [:]
  private var waiting: [Key: FIFO<Element>] = [:]
  /// Keys with somebody in line; the next to be served first.
  private var turn = FIFO<Key>()

  /// A line in which nobody stands. A limit below 1 counts as 1.
  init(limitPerKey: Int, limit: Int) {
    self.limitPerKey = max(1, limitPerKey)
    self.limit = max(1, limit)
  }

  /// Whether nobody waits.
  var isEmpty: Bool { turn.isEmpty }

  /// Somebody came; ask ``next()`` who may start.
  mutating func enter(_ element: Element, under key: Key) {
    if waiting[key] == nil { turn.append(key) }
    waiting[key, default: FIFO()].append(element)
  }

  /// The next who may start; `nil` when there is no room or nobody who fits. Keys take turns;
  /// under one key, who came first is first.
  mutating func next() -> Element? {
    guard total < limit else { return nil }
    for _ in 0..<turn.count {
      guard let key = turn.popFirst() else { return nil }
      guard started[key, default: 0] < limitPerKey, let element = waiting[key]?.popFirst() else {
        turn.append(key)
        continue
      }
      if waiting[key]?.isEmpty == true { waiting[key] = nil } else { turn.append(key) }
      started[key, default: 0] += 1
      total += 1
      return element
    }
    return nil
  }

  /// Somebody who had started is done; ask ``next()`` who may start.
  mutating func leave(_ key: Key) {
    guard let count = started[key] else { preconditionFailure("left without having started") }
    started[key] = count == 1 ? nil : count - 1
    total -= 1
  }

  /// Takes everybody out of the line.
  mutating func removeAllWaiting() -> [Element] {
    var removed: [Element] = []
    while let key = turn.popFirst() {
      while let element = waiting[key]?.popFirst() { removed.append(element) }
      waiting[key] = nil
    }
    return removed
  }
}

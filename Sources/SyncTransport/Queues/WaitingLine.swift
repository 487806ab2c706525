/// Decides who may start: so many at once under each key, so many in all, the others in line. A
/// key may have a limit of its own; who starts under it doesn't count among all.
///
/// libcurl could queue too, but it would count the wait against a transfer's connect timeout.
struct WaitingLine<Key: Hashable, Element> {
  private let limitPerKey: Int
  private let limit: Int
  private var ownLimits: [Key: Int] = [:]
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

  var isEmpty: Bool { turn.isEmpty }

  /// Gives a key a limit of its own, or takes it away with `nil`; ask ``next()`` who may start.
  mutating func setOwnLimit(_ limit: Int?, of key: Key) {
    let had = ownLimits[key] != nil
    ownLimits[key] = limit.map { max(1, $0) }
    guard had != (limit != nil) else { return }
    let count = started[key, default: 0]
    total += had ? count : -count
  }

  /// Somebody came; ask ``next()`` who may start.
  mutating func enter(_ element: Element, under key: Key) {
    if waiting[key] == nil { turn.append(key) }
    waiting[key, default: FIFO()].append(element)
  }

  /// The next who may start; `nil` when there is no room or nobody who fits. Keys take turns;
  /// under one key, who came first is first.
  mutating func next() -> Element? {
    guard total < limit || !ownLimits.isEmpty else { return nil }
    for _ in 0..<turn.count {
      guard let key = turn.popFirst() else { return nil }
      guard hasRoom(under: key), let element = waiting[key]?.popFirst() else {
        turn.append(key)
        continue
      }
      if waiting[key]?.isEmpty == true { waiting[key] = nil } else { turn.append(key) }
      started[key, default: 0] += 1
      if ownLimits[key] == nil { total += 1 }
      return element
    }
    return nil
  }

  private func hasRoom(under key: Key) -> Bool {
    let count = started[key, default: 0]
    if let own = ownLimits[key] { return count < own }
    return count < limitPerKey && total < limit
  }

  /// Somebody who had started is done; ask ``next()`` who may start.
  mutating func leave(_ key: Key) {
    guard let count = started[key] else { preconditionFailure("left without having started") }
    started[key] = count == 1 ? nil : count - 1
    if ownLimits[key] == nil { total -= 1 }
  }

  mutating func removeAllWaiting() -> [Element] {
    var removed: [Element] = []
    while let key = turn.popFirst() {
      while let element = waiting[key]?.popFirst() { removed.append(element) }
      waiting[key] = nil
    }
    return removed
  }
}

/// First in, first out, each in constant time on average.
struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if head > 32, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    } else if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    }
    return first
  }
}

extension FIFO: Sendable where Element: Sendable {}

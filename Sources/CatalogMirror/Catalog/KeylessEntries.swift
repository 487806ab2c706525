/// Entries without a key that can be read, so that nobody knows which they are. There may be
/// millions of them in a few bytes on the wire: they are counted, and only the first ones are
/// named.
package struct KeylessEntries: Hashable, Sendable {
  /// How many are named.
  package static let mostNamed = 20

  /// How many there are.
  package private(set) var count = 0
  /// The positions of the first ones, counted from 1.
  package private(set) var positions: [Int] = []

  /// None.
  package init() {}

  /// How many of them aren't named.
  package var unnamed: Int { count - positions.count }

  /// The first ones, as what can't be used.
  package var named: [UnusableEntry] {
    positions.map { UnusableEntry(position: $0, key: nil, problem: .noKey) }
  }

  /// Takes one more, at this position.
  mutating func add(at position: Int) {
    count += 1
    if positions.count < Self.mostNamed { positions.append(position) }
  }

  /// Takes those of another page, whose positions are counted from there on.
  mutating func add(_ others: KeylessEntries, after position: Int) {
    count += others.count
    positions += others.positions.prefix(Self.mostNamed - positions.count).map { $0 + position }
  }
}

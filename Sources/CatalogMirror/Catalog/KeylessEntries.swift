import SyncText

/// Entries without a key that can be read, so that nobody knows which they are. There may be
/// millions of them in a few bytes on the wire: they are counted, and only the first ones are
/// named.
package struct KeylessEntries: Hashable, Sendable {
  package static let mostNamed = 20

  package private(set) var count = 0
  /// The first ones, as what can't be used.
  package private(set) var named: [UnusableEntry] = []

  package init() {}

  /// How many of them aren't named.
  package var unnamed: Int { count - named.count }

  /// The positions of the first ones, counted from 1.
  package var positions: [Int] { named.map(\.position) }

  /// Takes one more, at this position.
  mutating func add(at position: Int, _ problem: EntryProblem = .noKey) {
    count += 1
    guard named.count < Self.mostNamed else { return }
    named.append(UnusableEntry(position: position, key: nil, problem: problem))
  }

  /// Takes those of another page, whose positions are counted from there on.
  mutating func add(_ others: KeylessEntries, after position: Int) {
    count += others.count
    for var entry in others.named.prefix(Self.mostNamed - named.count) {
      entry.position += position
      named.append(entry)
    }
  }
}

/// The links of a page that can't be understood: nobody knows what they list.
package struct UnreadLinks: Hashable, Sendable {
  package private(set) var count = 0
  /// The first of them, fit for messages.
  package private(set) var example = ""

  package init() {}

  /// Takes one more, as it is written. What stands behind a question mark or before an `@` may be
  /// a secret.
  mutating func add(_ link: String) {
    count += 1
    guard count == 1 else { return }
    var shown = link.prefix { $0 != "?" && $0 != "#" }
    if let at = shown.lastIndex(of: "@") { shown = shown[at...].dropFirst() }
    let rest = link.contains("?") ? "?…" : ""
    example = ByteString.escape(String(shown.prefix(60)).utf8) + rest
  }
}

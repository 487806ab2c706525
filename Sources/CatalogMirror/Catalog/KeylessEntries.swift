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

  package var unnamed: Int { count - named.count }

  package var positions: [Int] { named.map(\.position) }

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

package struct PageNotes: Hashable, Sendable {
  /// How many entries were passed over that are no items, and only say that a directory is there.
  package var markers = 0
  /// How many items were passed over that have no file, as those of feeds needn't.
  package var fileless = 0
  /// How many files were passed over that a publisher of catalogs keeps to himself
  /// (`.….mirror-state`).
  package var states = 0
  /// How many of the entries who publishes them has withdrawn, and still lists. They are mirrored.
  package var withdrawn = 0
  /// What else is to be said to who asked for a part.
  package var remarks: [ListingRemark] = []
  /// Links that can't be understood, so that nobody knows what they list: the page then counts as
  /// partial.
  package var unreadLinks = UnreadLinks()

  var passedOver: Int { markers + fileless + states }

  mutating func add(_ others: PageNotes) {
    markers += others.markers
    fileless += others.fileless
    states += others.states
    withdrawn += others.withdrawn
    remarks += others.remarks
  }

  /// All of it as remarks.
  var told: [ListingRemark] {
    let counted: [(Int, ListingRemark)] = [
      (markers, .markers(count: markers)), (states, .states(count: states)),
      (fileless, .fileless(count: fileless)), (withdrawn, .withdrawn(count: withdrawn)),
    ]
    return counted.filter { $0.0 > 0 }.map(\.1) + remarks
  }
}

/// The links of a page that can't be understood: nobody knows what they list.
package struct UnreadLinks: Hashable, Sendable {
  package private(set) var count = 0
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

/// Something of a listing that somebody wants to know who has asked for a part of it: most often,
/// that what he asked for means nothing here.
public enum ListingRemark: Hashable, Sendable, CustomStringConvertible {
  /// Nobody knows when so many items were modified, so that a limit of age doesn't hold for them.
  case undated(count: Int)
  /// The same, and the listing has dates, but doesn't say of which time zone.
  case zoneless(count: Int)
  /// Everything that is listed is left out: so many items, and whole directories.
  case allLeftOut(items: Int)
  /// A pattern that includes fits no item.
  case noneIncluded(KeyPattern)
  /// So many entries are no items: they only say that a directory is there.
  case markers(count: Int)
  /// So many files are what a publisher of catalogs remembers beside them (`.….mirror-state`).
  case states(count: Int)
  /// A Debian repository has no architecture or component of this name; those that it has.
  case noSuchPart(RepositoryChoice.Part, String, offered: [String])
  /// So many items have no file that could be mirrored.
  case fileless(count: Int)
  /// No item fits a pattern of what comes last.
  case noneLast(KeyPattern)
  /// So many items are withdrawn by who publishes them, and still listed.
  case withdrawn(count: Int)
  /// A person vouches that the list is whole, and it is one of what is new, which no word makes
  /// whole.
  case onlyNews

  /// In a sentence without a full stop.
  public var description: String {
    switch self {
    case .undated(let count):
      "the limit of age leaves out none of \(Self.items(count)): the listing doesn't date them"
    case .zoneless(let count):
      """
      the limit of age leaves out none of \(Self.items(count)): the listing's dates have no time \
      zone
      """
    case .allLeftOut(0): "the filters leave out everything that is listed"
    case .allLeftOut(let items): "the filters leave out all of the \(Self.items(items)) listed"
    case .noneIncluded(let pattern):
      "no item fits the pattern '\(pattern)', which is to include some"
    case .markers(let count):
      """
      \(count == 1 ? "an object that only stands" : "\(count) objects that only stand") for a \
      directory \(count == 1 ? "was" : "were") passed over
      """
    case .states(let count):
      """
      \(count == 1 ? "a file" : "\(count) files") in which 'mirror publish' remembers what it \
      published \(count == 1 ? "was" : "were") passed over
      """
    case .noSuchPart(let part, let name, let offered):
      """
      the repository has no \(part) \(RepositoryChoice.words([name])) (it has \
      \(RepositoryChoice.words(offered)))
      """
    case .fileless(let count):
      "\(Self.items(count)) of the listing \(count == 1 ? "has" : "have") no file to mirror"
    case .withdrawn(let count):
      "\(Self.items(count)) of the listing \(count == 1 ? "is" : "are") withdrawn, and kept"
    case .onlyNews:
      """
      that the list is whole is vouched for in vain: a feed that doesn't say so itself names what \
      is new, and what it lacks stays
      """
    case .noneLast(let pattern): "no item fits the pattern '\(pattern)' of what is to come last"
    }
  }

  private static func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
}

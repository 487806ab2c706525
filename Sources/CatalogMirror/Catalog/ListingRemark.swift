/// Something of a listing that somebody wants to know who has asked for a part of it: most often,
/// that what he asked for means nothing here.
public enum ListingRemark: Hashable, Sendable {
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
}

extension ListingRemark: CustomStringConvertible {
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
    case .noneLast(let pattern): "no item fits the pattern '\(pattern)' of what is to come last"
    }
  }

  private static func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
}

/// What a page says of the whole listing, where it says anything.
public struct CatalogHeader: Hashable, Sendable {
  /// A name of the catalog, for people.
  public var title: String?
  /// The state of the catalog.
  public var revision: CatalogRevision?
  /// The number of entries on all pages together.
  public var count: Int64?
  /// When this state was made, in seconds since 1970: a state that is older than the one that was
  /// taken last is refused, and so is one of the future.
  public var date: Int64?
  /// Until when this state may be taken, in seconds since 1970.
  public var validUntil: Int64?
  /// The ids of the keys of which a catalog of format 1 says that they have signed it. Nobody has
  /// looked whether that is so.
  public var signers: [String] = []
  /// Until when it says that it may be taken, in seconds since 1970. Nobody has looked who says so.
  package internal(set) var claimedExpiry: Int64?
  /// The ids of the keys that were given to check it by and have signed it.
  package internal(set) var verifiedBy: [String] = []

  /// The revision, where it is a number.
  var orderedRevision: Int64? {
    if case .ordered(let number) = revision { number } else { nil }
  }

  /// Nothing.
  public init() {}
}

/// What a page by itself says about being the whole.
public enum CompletenessClaim: Hashable, Sendable {
  /// It is all there is: `complete` is true, or a directory's own page.
  case whole
  /// The catalog itself says that it isn't all there is.
  case window
  /// Nothing is said: of unknown origin, whole only by a matching count or a person's word.
  case unvouched
  /// Nothing is said, and a list of its format has no way to say it: whole only by a person's word.
  case unvouchable
  /// It is what has changed since the checkpoint that was asked from: what it doesn't name is as it
  /// was.
  case changes
}

public import SyncText

/// What tells one state of an item from another. Two versions are compared as a whole: a version
/// of another kind is another version.
public enum ItemVersion: Hashable, Sendable {
  /// The digest of the bytes.
  case digest(SHA256Digest)
  /// A strong entity tag, as sent, quotes included (RFC 9110, section 8.8.3).
  case strongETag(String)
  /// A weak entity tag, as sent, `W/` included.
  case weakETag(String)
  /// A version that the catalog states in words of its own.
  case revision(String)
  /// A date as the catalog writes it, compared as text, and the exact size where it is known.
  case dateAndSize(date: String?, size: Int64?)
  /// The catalog says nothing: each pass asks the server with the item's own validator.
  case unknown

  /// Whether a date is all that tells it.
  package var isDate: Bool {
    if case .dateAndSize(date: _?, size: _) = self { true } else { false }
  }
}

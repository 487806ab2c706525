/// Why something isn't part of what is mirrored.
public enum LeftOutReason: Hashable, Sendable {
  /// This pattern excludes it.
  case excluded(by: KeyPattern)
  /// No pattern includes it, and all of them only include.
  case notIncluded
  /// It isn't among the keys that were named.
  case notNamed
  /// It is smaller than wanted.
  case tooSmall
  /// It is larger than wanted.
  case tooLarge
  /// It was modified too long ago.
  case tooOld
}

extension LeftOutReason: CustomStringConvertible {
  /// The reason, as the end of a sentence that began with what is left out.
  public var description: String {
    switch self {
    case .excluded(let pattern): "excluded by '\(pattern)'"
    case .notIncluded: "included by no pattern"
    case .notNamed: "not among the names that were given"
    case .tooSmall: "too small"
    case .tooLarge: "too large"
    case .tooOld: "too old"
    }
  }
}

/// Something that a listing has and that a scope leaves out.
package struct LeftOut: Hashable, Sendable {
  /// The key of an item; of a directory that wasn't listed, its path with a slash at its end.
  package var key: CatalogKey
  package var reason: LeftOutReason

  /// Whether it is a directory that wasn't listed.
  var isDirectory: Bool { key.bytes.last == UInt8(ascii: "/") }

  /// Whether the key alone doesn't tell: another state of the item may be inside.
  var dependsOnState: Bool {
    switch reason {
    case .tooSmall, .tooLarge, .tooOld: true
    case .excluded, .notIncluded, .notNamed: false
    }
  }
}

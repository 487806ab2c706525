package import SyncText

/// Which part of a catalog is mirrored.
///
/// What lies outside is neither fetched nor removed, nor counted for the removal limit; a directory
/// all of which lies outside isn't even listed. An entry is inside if everything that is said here
/// lets it in; a size or a date that the catalog doesn't tell does.
public struct Scope: Hashable, Sendable {
  /// Patterns, in their order: the first that fits a key decides. What none fits is inside, unless
  /// all of them only include: then it is outside. Default: none.
  public var rules: [ScopeRule] = []
  /// The only keys that are inside; `nil`, the default, is all.
  public var names: KeyList?
  /// The least bytes of an item. Default: none.
  public var minimumSize: Int64?
  /// The most bytes of an item; a rounded size counts as it is listed. Default: none.
  public var maximumSize: Int64?
  /// How long ago an item may have been modified. Default: as long as it likes.
  public var maximumAge: Duration?

  /// Everything.
  public init() {}

  /// Whether nothing is outside.
  public var isEverything: Bool { self == Scope() }
}

/// One pattern of a scope, and what it does.
public enum ScopeRule: Hashable, Sendable {
  /// What fits is inside.
  case include(KeyPattern)
  /// What fits is outside.
  case exclude(KeyPattern)
}

extension ScopeRule {
  /// The pattern.
  public var pattern: KeyPattern {
    switch self {
    case .include(let pattern), .exclude(let pattern): pattern
    }
  }

  /// Whether it lets in what fits.
  package var includes: Bool {
    switch self {
    case .include: true
    case .exclude: false
    }
  }
}

extension ScopeRule: CustomStringConvertible {
  /// As a file of filters has it: `+` or `-`, and the pattern.
  public var description: String { (includes ? "+ " : "- ") + pattern.description }
}

extension Scope {
  /// What tells this scope from others: the same for the same.
  package var digest: SHA256Digest {
    var facts: [(name: String, bytes: [UInt8])] = rules.map {
      ($0.includes ? "+" : "-", $0.pattern.text.bytes)
    }
    if let names {
      facts.append(("names", []))
      facts += names.keys.sorted().map { ("name", $0.bytes) }
      facts += names.directories.sorted().map { ("below", $0.bytes) }
    }
    let limits = [
      ("least", minimumSize.map { "\($0)" }), ("most", maximumSize.map { "\($0)" }),
      ("age", maximumAge.map { "\($0.components)" }),
    ]
    facts += limits.compactMap { name, limit in limit.map { (name, Array($0.utf8)) } }
    var hasher = SHA256Hasher()
    // Lengths, so that no two lists of facts are one list of bytes.
    for (name, bytes) in facts {
      Array("\(name) \(bytes.count)\n".utf8).withUnsafeBytes { hasher.update($0) }
      bytes.withUnsafeBytes { hasher.update($0) }
    }
    return hasher.finish()
  }
}

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
public enum ScopeRule: Hashable, Sendable, CustomStringConvertible {
  /// What fits is inside.
  case include(KeyPattern)
  /// What fits is outside.
  case exclude(KeyPattern)

  /// The pattern.
  public var pattern: KeyPattern {
    switch self {
    case .include(let pattern), .exclude(let pattern): pattern
    }
  }

  package var includes: Bool {
    switch self {
    case .include: true
    case .exclude: false
    }
  }

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

  private static let mostNamed = 100

  var words: [String] {
    var words = rules.prefix(Self.mostNamed).map { rule in
      switch rule {
      case .include(let pattern): "include '\(pattern)'"
      case .exclude(let pattern): "exclude '\(pattern)'"
      }
    }
    let more = rules.count - Self.mostNamed
    if more > 0 { words.append("\(more) more patterns") }
    if let names { words.append("only \(names.keys.count + names.directories.count) names") }
    if let minimumSize { words.append("no smaller than \(ByteAmount.text(minimumSize))") }
    if let maximumSize { words.append("no larger than \(ByteAmount.text(maximumSize))") }
    if let maximumAge { words.append("no older than \(Self.text(maximumAge))") }
    return words
  }

  private static func text(_ age: Duration) -> String {
    let seconds = age.components.seconds
    for (unit, word) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] as [(Int64, String)]
    where seconds >= unit && seconds.isMultiple(of: unit) {
      return "\(seconds / unit) \(word)\(seconds == unit ? "" : "s")"
    }
    return "\(seconds) s"
  }
}

extension ScopeRule {
  /// Reads a file of filters: lines `+ PATTERN` and `- PATTERN`, in their order. Empty lines and
  /// those that begin with `#` say nothing.
  public static func rules(inLines text: [UInt8]) throws(PatternProblem) -> [ScopeRule] {
    var rules: [ScopeRule] = []
    for (number, line) in TextLines(text).numbered where line.first != UInt8(ascii: "#") {
      guard let sign = line.first, line.dropFirst().first == UInt8(ascii: " ") else {
        throw .noFilter(line: number)
      }
      let pattern: KeyPattern
      do throws(PatternProblem) {
        pattern = try KeyPattern(bytes: Array(line.dropFirst(2)))
      } catch {
        throw .inLine(number, error)
      }
      switch sign {
      case UInt8(ascii: "+"): rules.append(.include(pattern))
      case UInt8(ascii: "-"): rules.append(.exclude(pattern))
      default: throw .noFilter(line: number)
      }
    }
    return rules
  }
}

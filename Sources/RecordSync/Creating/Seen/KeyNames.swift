private import SyncText

/// By which of their members objects are told apart. A member that stands within others goes by all
/// names on the way to it.
struct KeyNames: Sendable, Equatable {
  /// How the objects at one place are told apart.
  struct Rule: Sendable, Equatable {
    /// Names in one form for all spellings: the first of these that an object has is its key.
    let names: [[UInt8]]
    /// Whether all of them together are its key.
    let isAll: Bool
    /// How the table that has the objects tells its keys apart, if not by what is the same alone.
    let identity: KeyIdentity?

    /// - Parameter isAll: Whether all of the names are the key, if they are several.
    init(
      _ paths: [[String]], _ spelling: Spelling, isAll: Bool = false, _ identity: KeyIdentity? = nil
    ) {
      let joined = paths.map { KeyNames.joined($0, spelling) }
      names = joined.enumerated().filter { !joined[..<$0].contains($1) }.map(\.element)
      (self.isAll, self.identity) = (isAll && names.count > 1, identity)
    }
  }

  let top: Rule
  /// The rules of tables that have one of their own, by their names in one form for all spellings.
  let tables: [[UInt8]: Rule]
  let usual: Rule
  let spelling: Spelling

  /// The names on the way to a member, in one form for all spellings, as one.
  static func joined(_ path: [String], _ spelling: Spelling) -> [UInt8] {
    Array(path.map { spelling.canonical(Array($0.utf8)) }.joined(separator: [0]))
  }

  /// The names on the way to a member, which ``joined(_:_:)`` put together.
  static func parts(of name: [UInt8]) -> [[UInt8]] {
    name.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
  }

  /// The rule for objects under a name, by the table that they would be rows of.
  func rule(under name: [UInt8], isMany: Bool) -> Rule {
    guard !tables.isEmpty, let name = String(validating: name, as: UTF8.self) else { return usual }
    for table in spelling.tables(for: name, isMany: isMany) {
      if let rule = tables[spelling.canonical(Array(table.utf8))] { return rule }
    }
    return usual
  }
}

extension Spelling {
  /// What the table may be called whose rows stand under a name, the likeliest first: that of an
  /// array has its name, that of an object the plural.
  func tables(for name: String, isMany: Bool) -> [String] {
    isMany ? [name] + plurals(of: name) : plurals(of: name) + [name]
  }
}

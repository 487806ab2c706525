/// What was noticed in a payload, by table: none of it stops a sync.
package struct Findings: Sendable, Equatable {
  package var tables: [Int: TableFindings] = [:]

  package init() {}

  /// What a table's findings are, to be added to.
  package subscript(table: Int) -> TableFindings {
    get { tables[table] ?? TableFindings() }
    _modify { yield &tables[table, default: TableFindings()] }
  }

  /// Adds what was noticed later.
  package mutating func add(_ other: Findings) {
    for (table, more) in other.tables { self[table].add(more) }
  }
}

package struct TableFindings: Sendable, Equatable {
  /// Objects without a usable key.
  package var skipped = 0
  /// Values that were brought to the column's type.
  package var coerced = 0
  /// Objects of rows that had been named before.
  package var duplicates = 0
  /// Members that nothing takes, by their names.
  package var unknown: [String: Int] = [:]
  /// Values that a column can't hold.
  package var mismatched: [Mismatch] = []
  /// References to rows that aren't there.
  package var unresolved: [UnresolvedReference] = []

  package init() {}

  mutating func add(_ other: TableFindings) {
    skipped += other.skipped
    coerced += other.coerced
    duplicates += other.duplicates
    unknown.merge(other.unknown, uniquingKeysWith: +)
    mismatched += other.mismatched
    unresolved += other.unresolved
  }
}

/// A value that a column can't hold: the old one stays.
public struct Mismatch: Sendable, Equatable {
  /// The row; `nil` for one without a key.
  public var key: RecordKey?
  /// The column's name.
  public var column: String
  /// What came, as JSON; long values are cut.
  public var came: String
  /// What the column holds, in words: "an integer".
  public var wanted: String

  /// A mismatch from its parts.
  public init(key: RecordKey?, column: String, came: String, wanted: String) {
    self.key = key
    self.column = column
    self.came = came
    self.wanted = wanted
  }
}

/// A reference to a row that isn't there: what it stood in stays as it was.
public struct UnresolvedReference: Sendable, Equatable {
  /// The row that refers; `nil` for one without a key.
  public var key: RecordKey?
  /// The column, or the relation.
  public var name: String
  /// The key that nothing has.
  public var target: RecordKey

  /// A reference from its parts.
  public init(key: RecordKey?, name: String, target: RecordKey) {
    self.key = key
    self.name = name
    self.target = target
  }
}

/// What a sync did with one table.
public struct TableReport: Sendable, Equatable {
  /// The keys of new rows, in the order of the payload.
  public var inserted: RecordKeys = []
  /// Rows that were changed, in the order of the payload. One that several objects name stands at
  /// the place of one of these.
  public var updated: [UpdatedRow] = []
  /// The keys of rows that are gone.
  public var deleted: [RecordKey] = []
  /// How many of these went only with rows on which they hang, by the database's ON DELETE CASCADE.
  public var cascaded = 0
  /// How many of the deleted were marked as gone, and stay in the table.
  public var marked = 0
  /// Links that were made: rows of tables of links, and children without a parent that got one.
  public var linked = 0
  /// Links that were taken back.
  public var unlinked = 0
  /// Links whose position changed.
  public var reordered = 0
  /// Children that came from another parent.
  public var moved: [RecordKey] = []
  /// Children that the payload names under another parent, and that stay where they hang: nothing
  /// was to be unlinked, and only this payload says so.
  public var stayed: [RecordKey] = []
  /// Objects without a usable key.
  public var skipped = 0
  /// Rows that the database refused.
  public var refused: [RefusedRow] = []
  /// Values that a column can't hold.
  public var mismatched: [Mismatch] = []
  /// Members that nothing takes, by their names.
  public var unknown: [String: Int] = [:]
  /// References to rows that aren't there.
  public var unresolved: [UnresolvedReference] = []
  /// Values that were brought to their column's type.
  public var coerced = 0
  /// Objects of rows that another object had named before.
  public var duplicates = 0
  /// The keys that several rows share, and that go on doing so since none of these may be deleted.
  /// The oldest of them follows the payload.
  public var twins: [RecordKey] = []
  /// Relations of which a list said that there is more: nothing went for being absent from it.
  public var parts: Set<String> = []
  /// Rows whose local edits wait to be sent, so that these columns weren't written.
  public var keptEdits: [UpdatedRow] = []

  /// Whether the table isn't as it was.
  public var hasChanges: Bool {
    !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty || linked + unlinked + reordered > 0
      || !moved.isEmpty
  }

  /// Adds what was noticed in a part of the payload.
  mutating func add(_ noticed: TableReport) {
    skipped += noticed.skipped
    coerced += noticed.coerced
    duplicates += noticed.duplicates
    unknown.merge(noticed.unknown, uniquingKeysWith: +)
    mismatched += noticed.mismatched
    parts.formUnion(noticed.parts)
  }
}

/// A row that was changed.
public struct UpdatedRow: Sendable, Equatable {
  /// Its key.
  public var key: RecordKey
  /// The names of the columns, in the order of the table.
  public var columns: [String]
}

/// A row, or a link of it, that the database refused.
public struct RefusedRow: Sendable, Equatable {
  /// Its key; `nil` for one without.
  public var key: RecordKey?
  /// The database's words.
  public var reason: String
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
}

/// A reference to a row that isn't there: what it stood in stays as it was.
public struct UnresolvedReference: Sendable, Equatable {
  /// The row that refers; `nil` for one without a key.
  public var key: RecordKey?
  /// The column, or the relation.
  public var name: String
  /// The key that nothing has.
  public var target: RecordKey
}

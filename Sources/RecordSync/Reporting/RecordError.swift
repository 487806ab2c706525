import SyncDatabase

/// Why nothing was written.
public enum RecordError: Error, Sendable, Equatable {
  /// The table can't be synced.
  case table(String, TableFault)
  /// The schema isn't clear enough, or an override doesn't fit it.
  case schema(SchemaProblem)
  /// More rows would have been deleted than the limit allows.
  case removalRefused(table: String, count: Int, of: Int)
  /// The parent to which the payload belongs isn't there.
  case noParent(table: String, key: RecordKey)
  /// The condition isn't one: SQLite's words.
  case condition(String)
  /// With strictness, the first thing that would else only have been reported.
  case strict(table: String, StrictFault)

  /// What is wrong with a table.
  public enum TableFault: Sendable, Equatable {
    /// It isn't there.
    case missing
    /// It isn't there, and the payload has no objects to make it from.
    case nothingToMakeItFrom
    /// The payload's objects have more names than a table can have columns.
    case tooManyNames
    /// Its name, or a column's, can't stand in a statement.
    case unusableName
    /// It has no foreign key to the parent's table, or this column is none.
    case noForeignKey(to: String)
    /// Several foreign keys lead to the parent's table.
    case severalForeignKeys(to: String, columns: [String])
  }

  /// What strictness doesn't let pass.
  public enum StrictFault: Sendable, Equatable {
    /// A row or a link that the database refused.
    case refused(RefusedRow)
    /// Objects without a usable key.
    case skipped(Int)
    /// A value that a column can't hold.
    case mismatched(Mismatch)
    /// A reference to a row that isn't there.
    case unresolved(UnresolvedReference)
    /// A member that nothing takes.
    case unknown(String)
    /// Objects that differ and would be one row.
    case merged(PayloadRemark)
    /// A payload that says itself that it isn't all there is.
    case partial(PayloadRemark.Reason)
  }
}

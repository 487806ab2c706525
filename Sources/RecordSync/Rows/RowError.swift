private import SyncText

/// Why one row wasn't written.
public enum RowError: Error, Sendable, Equatable {
  /// Other than one object was given: so many.
  case notOneObject(table: String, count: Int)
  /// The row was to get a key that another row has.
  case keyTaken(table: String, key: RecordKey)
}

extension RowError: CustomStringConvertible {
  /// What happened, to what, and what to do.
  public var description: String {
    switch self {
    case .notOneObject(let table, let count):
      "One object was expected for a row of \(table.quoted), and \(count) were given; nothing was "
        + "written. Give one, or sync them all."
    case .keyTaken(let table, let key):
      "The row can't get the key \(key.description.shown), which another row of \(table.quoted) "
        + "has; nothing was written. Give another key, or delete that row first."
    }
  }
}

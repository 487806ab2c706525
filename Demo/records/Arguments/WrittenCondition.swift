import Console
import RecordSync

/// A condition as the command line has it: SQL, with `?` for each value.
struct WrittenCondition: Sendable, Equatable {
  var sql: String?
  var values: [RecordValue] = []

  /// The condition, if its values have one. Whether it is SQL, SQLite knows.
  func checked() throws -> WrittenCondition {
    guard sql != nil || values.isEmpty else {
      throw UsageError("--bind is for a value of a condition, and there is none; say --where, too")
    }
    return self
  }
}

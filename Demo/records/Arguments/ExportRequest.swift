import Console
import RecordSync

struct ExportRequest: Sendable, Equatable {
  var table = ""
  /// The only row that is meant; `nil` for all, or those of the condition.
  var key: String?
  var condition = WrittenCondition()
  var options = ExportOptions()

  /// What can't be seen from one option alone.
  func check(needsRows: Bool) throws {
    guard !needsRows || key != nil || condition.sql != nil else {
      throw UsageError("KEY is missing; say which row is meant, or --where for several")
    }
    guard key == nil || condition.sql == nil else {
      throw UsageError("KEY and --where contradict each other; say one of them")
    }
  }

  func selection(in schema: RecordSchema) throws -> RecordSelection {
    try schema.requireTable(table)
    if let key { return .key(try schema.requireKey(key, of: table)) }
    guard let sql = condition.sql else { return .all }
    return .condition(sql, values: condition.values)
  }
}

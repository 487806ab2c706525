import Console
import RecordSync

/// A row of another table as the command line names it: `users:7`, or `users:7:author_id` where
/// several foreign keys lead there.
struct ParentReference: Sendable, Equatable {
  let table: String
  /// The key, with the column behind it, if there is one. Keys may hold colons, too.
  let rest: String

  init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw UsageError(
        "'\(text.escaped)' names no row; write its table and its key: users:7")
    }
    table = String(parts[0])
    rest = String(parts[1])
  }

  func parent(of child: String, in schema: RecordSchema) throws -> RecordScope.Parent {
    try schema.require(schema.parent(rest, of: table, for: child), of: table)
  }
}

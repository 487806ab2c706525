import Console
import RecordSync
import SyncText

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
        "'\(ByteString.escape(text))' names no row; write its table and its key: users:7")
    }
    table = String(parts[0])
    rest = String(parts[1])
  }

  /// The row as the library knows it. The last part is a column only if it is one by which rows of
  /// `child` hang on the table.
  func parent(of child: String, in schema: RecordSchema) throws -> RecordScope.Parent {
    let place = try schema.requirePlace(of: table)
    var (key, column) = (rest[...], nil as String?)
    if let colon = rest.lastIndex(of: ":"), colon > rest.startIndex {
      let name = String(rest[rest.index(after: colon)...])
      if let child = schema.place(of: child), schema.links(child, to: place, by: name) {
        (key, column) = (rest[..<colon], name)
      }
    }
    return RecordScope.Parent(
      table: table, key: schema.tables[place].key(written: String(key)), column: column)
  }
}

extension RecordSchema {
  /// Whether a column of that name leads from the rows of `child`, or from a table that links them,
  /// to those of `parent`.
  fileprivate func links(_ child: Int, to parent: Int, by name: String) -> Bool {
    let linking = tables[parent].relations.compactMap { relation -> Int? in
      guard case .manyToMany(let through, _, _, _, child, _) = relation.kind else { return nil }
      return through
    }
    return ([child] + linking).contains { place in
      guard let column = tables[place].place(ofColumn: name) else { return false }
      return tables[place].foreignKeys.contains { $0.column == column && $0.table == parent }
    }
  }
}

import Console
import RecordSync
import SyncDatabase
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
      table: table, key: Self.value(String(key), as: schema.tables[place]), column: column)
  }

  /// A key as its columns hold it. Where they can't hold it, the text: no row has that.
  private static func value(_ text: String, as table: TableSchema) -> RecordValue {
    let types = table.key.columns.map { table.columns[$0].type }
    if types.count == 1 {
      return types[0].kind == .any
        ? Value.bound(text) : types[0].keyValue(JSONWriter.value(text)) ?? .text(text)
    }
    let bytes = Array(text.utf8)
    guard let list = try? JSONValue(bytes, in: bytes.indices, nesting: 2).elements,
      list.count == types.count
    else { return .text(text) }
    let values = zip(types, list).compactMap { $0.keyValue(Array($1.written)) }
    return values.count == types.count ? .array(values) : .text(text)
  }
}

extension ColumnType {
  /// What JSON is as a key in this column.
  fileprivate func keyValue(_ json: [UInt8]) -> RecordValue? {
    var tape = JSONTape(nesting: 2)
    tape.begin(json)
    guard let root = try? tape.append(at: 0).root else { return nil }
    return key(root, in: tape).map { RecordValue($0.value) }
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

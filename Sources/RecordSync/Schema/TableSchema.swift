private import SyncText

/// What a database's tables are to JSON: read from the database itself, adjusted by overrides.
public struct RecordSchema: Sendable, Equatable {
  package var tables: [TableSchema]
  /// What was understood and may not be what was meant.
  package var warnings: [SchemaWarning]
  /// Whether references that lead nowhere are remembered, and linked once their targets come.
  package var remembersUnresolved = false
  /// The column by which rows were to be marked in place of being deleted, wherever there is one.
  package var deletedAt: String?
  /// What each table makes of the members of an object.
  package var members: [MemberMap]
  /// Tables by their names in lower case (A to Z only, as SQLite compares names).
  package var places: [String: Int]
  package var spelling: Spelling

  /// The names of the tables, sorted, without those that SQLite or this package keeps for itself,
  /// and without views and virtual tables.
  public var tableNames: [String] { tables.map(\.name) }

  /// Whether there is a table of that name, compared as SQLite does: A to Z count as a to z.
  public func hasTable(_ name: String) -> Bool { place(of: name) != nil }

  /// The place of a table, whose name is compared as SQLite does: A to Z count as a to z.
  package func place(of table: String) -> Int? { places[table.asciiLowercased] }
}

/// A table as it was understood: its columns, its key, and what hangs on it.
///
/// Tables and columns are told by their places: a table by that in ``RecordSchema/tables``, a
/// column by that in `columns`.
package struct TableSchema: Sendable, Equatable {
  package var name: String
  /// Its columns in their order, generated ones too.
  package var columns: [ColumnSchema]
  package var key: KeySchema
  /// What hangs on its rows, and on what they hang.
  package var relations: [Relation]
  /// The table that it extends: each row is the rest of a row of that one, under the same key.
  package var base: Int?
  package var extensions: [Int]
  /// The column that says the order of the rows of the whole table.
  package var position: Int?
  /// The column that tells which columns were edited here and wait to be sent: an array of names as
  /// JSON or separated by commas, or any other value but NULL, 0 and the empty text for all of
  /// them.
  package var edits: Int?
  /// The column that tells since when a row is gone; NULL in rows that aren't.
  package var mark: Int?
  /// One that has the name of such a column, but can't tell that.
  var unfitMark: Int?
  /// Whether the versions of its rows are kept.
  package var keepsHistory = false
  /// What becomes of members that nothing in the table takes.
  package var unknown: SchemaOverrides.UnknownMembers
  /// The columns of its primary key in their order; empty where there is none.
  package var primaryKey: [Int]
  /// The INTEGER PRIMARY KEY, which is another name of SQLite's row number.
  package var rowNumberColumn: Int?
  package var foreignKeys: [ForeignKey]
  /// Its foreign keys of several columns, which give no relation.
  package var compositeForeignKeys: [CompositeForeignKey]
  /// The columns that only one row may hold the same values in, but for the primary key.
  package var uniques: [[Int]]
  /// A name under which SQLite's row number can be asked for; `nil` for a table WITHOUT ROWID, or
  /// one whose columns have taken all three names.
  package var rowNumber: RowNumber?
  package static let extraColumn = "extra"
  /// What JSON calls a column that was made for values that don't fit: no payload's own member.
  static let extraMember = "recordsync_extra"

  /// The column that keeps values that don't fit where they belong, under these columns' names in
  /// JSON, and members that nothing else takes, if that is wanted.
  package var extra: Int? {
    let own = columns.firstIndex(where: \.keepsRest)
    guard let place = own ?? (unknown == .extra ? place(ofColumn: Self.extraColumn) : nil),
      columns[place].type.kind == .json, !columns[place].isGenerated,
      columns[place].transformer == nil
    else { return nil }
    return place
  }

  /// The three names of SQLite's row number (sqlite.org, "ROWIDs and the INTEGER PRIMARY KEY").
  package enum RowNumber: String, Sendable, Hashable {
    case rowid
    case underscored = "_rowid_"
    case oid
  }
}

package struct ColumnSchema: Sendable, Equatable {
  package var name: String
  package var type: ColumnType
  package var isRequired: Bool
  /// Whether it has a DEFAULT other than NULL.
  package var hasDefault: Bool
  /// Whether SQLite computes it; such a column is neither written nor exported.
  package var isGenerated: Bool
  package var collation: Collation
  /// Its name in JSON where one was declared, a path through objects: `["company", "name"]`.
  package var jsonPath: [String]?
  /// Whether it was made for what no other one takes, as a table of ours says.
  package var keepsRest = false
  package var isExported: Bool
  /// Whether nothing in JSON has its value: it belongs to a relation that stands nowhere any more.
  package var isHidden = false
  /// Whether the order of the array in which its row stands is all that it says, so that it isn't
  /// exported there.
  package var isToldByOrder = false
  /// Whether `null` leaves it as it is.
  package var ignoresNull: Bool
  package var transformer: Transformer?

  /// Its name in JSON, with dots where it stands in other objects.
  var jsonName: String { jsonPath.map(JSONPath.text) ?? name }

  /// The names of the objects in which it stands, the outermost first, and then its own.
  var jsonNames: [String] {
    guard let path = jsonPath else { return [name] }
    return path.indices.map { JSONPath.text(of: Array(path[...$0])) }
  }

  /// Whether JSON may have its value under a name.
  var isNamed: Bool { !isGenerated && !isHidden }

  /// How values are told apart (sqlite.org, "Collating Sequences").
  package enum Collation: Sendable, Hashable {
    case binary
    /// A to Z count as a to z.
    case noCase
    /// Spaces at the end don't count.
    case trimmed
    /// One that a program defines.
    case other(String)
  }
}

package struct KeySchema: Sendable, Equatable {
  /// Its columns; empty where there is no key, and ``problem`` says why.
  package var columns: [Int]
  /// The name in JSON of each of them, as it was derived or declared.
  package var jsonNames: [String]
  /// Whether it is the INTEGER PRIMARY KEY, which SQLite fills where it is left out.
  package var isRowNumber: Bool
  /// Why there is no key, and what to declare.
  package var problem: SchemaProblem?
  /// The INTEGER PRIMARY KEY beside a column `id` or `remote_id`: it is the key instead where the
  /// objects carry its name and never that of the column.
  package var alternative: Alternative?

  package struct Alternative: Sendable, Equatable {
    package var column: Int
    package var jsonName: String
  }
}

package struct ForeignKey: Sendable, Hashable {
  package var column: Int
  package var table: Int
  package var target: Int
  /// What becomes of the row when the one that it refers to is deleted.
  package var onDelete: Action

  /// What becomes of a row (sqlite.org, "SQLite Foreign Key Support", 4.3).
  package enum Action: Sendable, Hashable { case none, restrict, cascade, setNull, setDefault }
}

/// A foreign key of several columns, or of one that is told in the same way.
package struct CompositeForeignKey: Sendable, Hashable {
  package var columns: [Int]
  package var table: Int
  /// The columns referred to, in the same order.
  package var targets: [Int]
  package var onDelete: ForeignKey.Action
}

extension CompositeForeignKey {
  init(_ key: ForeignKey) {
    self.init(
      columns: [key.column], table: key.table, targets: [key.target], onDelete: key.onDelete)
  }
}

extension TableSchema {
  /// Whether nothing in JSON has a column's value, not even one that names a parent.
  func hidesPlace(_ column: Int) -> Bool {
    columns[column].isHidden && !foreignKeys.contains { $0.column == column }
  }

  var allForeignKeys: [CompositeForeignKey] {
    foreignKeys.map(CompositeForeignKey.init) + compositeForeignKeys
  }

  /// Whether its columns take only values of their type (sqlite.org, "STRICT Tables").
  package var isStrict: Bool { columns.contains { $0.type.isStrict } }

  /// The place of a column, whose name is compared as SQLite does: A to Z count as a to z.
  package func place(ofColumn name: String) -> Int? {
    let name = name.asciiLowercased
    return columns.firstIndex { $0.name.asciiLowercased == name }
  }

  package var keyColumn: Int? { key.columns.count == 1 ? key.columns[0] : nil }

  /// Whether only one row may hold a value in this column.
  package func isUnique(_ column: Int) -> Bool {
    primaryKey == [column] || uniques.contains([column])
  }
}

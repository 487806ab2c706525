private import SyncText

/// A table as the database declares it, before anything is made of it.
struct DeclaredTable: Equatable, Sendable {
  var name: String
  /// Whether SQLite keeps no row number for it (sqlite.org, "WITHOUT ROWID").
  var isWithoutRowNumber: Bool
  /// Whether its columns take only values of their type (sqlite.org, "STRICT Tables").
  var isStrict: Bool
  /// Its columns in their order, generated ones too.
  var columns: [Column] = []
  /// In the order in which they were declared.
  var foreignKeys: [ForeignKey] = []
  /// The indexes that refuse equal rows, each over columns alone and over all rows.
  var uniques: [Unique] = []

  struct Column: Equatable, Sendable {
    var name: String
    /// The declared type as it was written; empty where there is none.
    var type: String
    var isRequired: Bool
    /// Whether it has a DEFAULT other than NULL.
    var hasDefault: Bool
    /// Its place in the primary key, from 1; 0 where it isn't part of it.
    var keyPlace: Int
    var isGenerated: Bool
    /// The name of its collating sequence.
    var collation: String
    /// Its name in JSON, where no column can have that one; kept in a table of ours.
    var jsonName: String?
  }

  /// A foreign key of one column or of several.
  struct ForeignKey: Equatable, Sendable {
    var columns: [String]
    /// The table referred to, as it was written.
    var table: String
    /// The columns referred to; `nil` for the primary key.
    var targets: [String?]
    /// As it was written: `CASCADE`.
    var onDelete: String
  }

  /// An index that refuses equal rows.
  struct Unique: Equatable, Sendable {
    var columns: [Int]
    var isPrimaryKey: Bool
  }

  /// The places of the primary key's columns, in its order.
  var primaryKey: [Int] {
    columns.indices.filter { columns[$0].keyPlace > 0 }
      .sorted { columns[$0].keyPlace < columns[$1].keyPlace }
  }

  /// The INTEGER PRIMARY KEY, which is another name of the row number (sqlite.org, "ROWIDs and the
  /// INTEGER PRIMARY KEY"). One that is declared DESC isn't: SQLite makes an index for it.
  var rowNumberColumn: Int? {
    let key = primaryKey
    guard !isWithoutRowNumber, key.count == 1, columns[key[0]].type.asciiLowercased == "integer",
      !uniques.contains(where: \.isPrimaryKey)
    else { return nil }
    return key[0]
  }
}

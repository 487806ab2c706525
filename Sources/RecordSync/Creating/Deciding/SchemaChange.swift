/// A change of a database's tables that a payload needs.
public enum SchemaChange: Sendable, Equatable {
  /// A table is made.
  case table(MadeTable)
  /// A table gets a column.
  case column(MadeColumn, table: String)
  /// A column gets another type, so that it holds what came, too. Its values stay what they are.
  case widened(column: String, table: String, from: String, to: MadeType)
  /// What was decided of objects under a name.
  case relation(DecidedRelation)
  /// A column takes its values from the one that keeps what nothing else takes: of so many rows.
  case filled(column: String, table: String, rows: Int)
}

/// A table that is made.
public struct MadeTable: Sendable, Equatable {
  /// Its name.
  var name: String
  /// Its columns in their order.
  var columns: [MadeColumn]
  /// The columns of its primary key.
  var key: [String]
  /// What it is made from.
  var evidence: Evidence

  /// What a table is made from.
  enum Evidence: Sendable, Equatable {
    /// The payload's own elements: how many.
    case elements(Int)
    /// Objects under a name of another table's objects.
    case objects(SeenObjects, of: String)
    /// That some of these objects stand under several of that table's.
    case shared(SeenObjects, of: String)
  }
}

/// Objects that stand under a name.
struct SeenObjects: Sendable, Equatable {
  var count: Int
  /// The way to them, as text.
  var name: String
  /// Whether they stand in arrays.
  var isMany: Bool
}

/// A column that is made.
public struct MadeColumn: Sendable, Equatable {
  /// Its name.
  var name: String
  /// Its type.
  var type: MadeType
  /// Its way in JSON, where its name alone doesn't say that.
  var jsonPath: [String]?
  /// The key of its table, where that would be taken for another name of the row number beside it.
  var keyBeside: String?
  /// The row of another table that it names.
  var reference: Reference?
  /// What it is made from.
  var evidence: Evidence

  /// Its way in JSON.
  var path: [String] { jsonPath ?? [name] }

  /// Whether it is made for what no other column takes.
  var keepsRest: Bool {
    switch evidence {
    case .unknownNames, .misfits: true
    case .values, .objects, .order, .marks: false
    }
  }

  /// What a column names.
  struct Reference: Sendable, Equatable {
    /// The other table.
    var table: String
    /// Its column.
    var column: String
    /// Whether the row goes with the one that it names, or else only loses the link.
    var isChild: Bool
    /// The index that leads from the other row to this one; `nil` where the primary key does.
    var index: String?
  }

  /// What a column is made from.
  enum Evidence: Sendable, Equatable {
    /// Values under its name: how many that aren't null.
    case values(Int)
    /// Objects under a name, for columns that name rows.
    case objects(SeenObjects)
    /// The order of arrays.
    case order
    /// Names that nothing else takes.
    case unknownNames
    /// Values that these columns can't hold.
    case misfits([String])
    /// That rows are marked in place of being deleted.
    case marks
  }
}

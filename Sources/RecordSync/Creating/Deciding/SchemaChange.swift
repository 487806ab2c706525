private import SyncText

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

  /// The table that is made or changed.
  public var table: String {
    switch self {
    case .table(let table): table.name
    case .relation(let relation): relation.table
    case .column(_, let table), .widened(_, let table, _, _), .filled(_, let table, _): table
    }
  }

  /// The column that is added, filled, or gets another type; `nil` for anything else.
  public var column: String? {
    switch self {
    case .table, .relation: nil
    case .column(let column, _): column.name
    case .widened(let column, _, _, _), .filled(let column, _, _): column
    }
  }
}

/// A table that is made.
public struct MadeTable: Sendable, Equatable {
  var name: String
  /// In their order.
  var columns: [MadeColumn]
  /// The columns of its primary key.
  var key: [String]
  var source: MadeSource
}

/// A column that is made.
public struct MadeColumn: Sendable, Equatable {
  var name: String
  var type: MadeType
  /// Its way in JSON, where its name alone doesn't say that.
  var jsonPath: [String]?
  /// The key of its table, where that would be taken for another name of the row number beside it.
  var keyBeside: String?
  /// The row of another table that it names.
  var reference: Reference?
  var source: MadeSource

  var path: [String] { jsonPath ?? [name] }

  /// Whether it is made for what no other column takes.
  var keepsRest: Bool {
    switch source {
    case .unknownNames, .misfits: true
    case .values, .objects, .elements, .shared, .order, .marks: false
    }
  }

  /// What a column names.
  struct Reference: Sendable, Equatable {
    var table: String
    var column: String
    /// Whether the row goes with the one that it names, or else only loses the link.
    var isChild: Bool
    /// The index that leads from the other row to this one; `nil` where the primary key does.
    var index: String?
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

/// What a table or a column is made from.
enum MadeSource: Sendable, Equatable {
  /// So many of the payload's own elements.
  case elements(Int)
  /// Objects under a name, of a table's objects where that is given.
  case objects(SeenObjects, of: String? = nil)
  /// That some of these objects stand under several of that table's.
  case shared(SeenObjects, of: String)
  /// So many values under its name that aren't null.
  case values(Int)
  /// The order of arrays.
  case order
  /// Names that nothing else takes.
  case unknownNames
  /// Values that these columns can't hold.
  case misfits([String])
  /// That rows are marked in place of being deleted.
  case marks

  fileprivate var words: String {
    switch self {
    case .elements(let count): "\(counted(count, "object")) of the payload"
    case .objects(let objects, let table):
      "\(counted(objects.count, "object")) \(objects.isMany ? "in arrays " : "")under "
        + objects.name.quoted + (table.map { " in \($0.shown)" } ?? "")
    case .shared(let objects, let table):
      "objects under \(objects.name.quoted) hang on several rows of \(table.shown)"
    case .values(let count): counted(count, "value")
    case .order: "the order of arrays"
    case .unknownNames: "what nothing else takes"
    case .misfits(let columns):
      "values that can't stand in \(columns.map(\.shown).joined(separator: ", "))"
    case .marks: "since when a row is gone"
    }
  }
}

// MARK: - For people

extension SchemaChange: CustomStringConvertible {
  /// What is made, and what from, as the end of a sentence: `table users (id INTEGER, name TEXT): 3
  /// objects of the payload`.
  public var description: String {
    switch self {
    case .table(let table):
      "table \(table.name.shown) (\(table.columns.map(\.declared).joined(separator: ", "))): "
        + table.source.words
    case .column(let column, let table):
      "column \(table.shown).\(column.declared): \(column.source.words)"
    case .widened(let column, let table, let from, let to):
      "column \(table.shown).\(column.shown) \(to.rawValue), which was "
        + "\(from.isEmpty ? "of no type" : from.shown): values came that it couldn't hold"
    case .relation(let relation): relation.words
    case .filled(let column, let table, let rows):
      "values of \(table.shown).\(column.shown) from \(TableSchema.extraColumn), in "
        + counted(rows, "row")
    }
  }
}

extension MadeColumn {
  fileprivate var declared: String {
    let names = reference.map { " → \($0.table.shown)" } ?? ""
    let path = keepsRest ? nil : jsonPath
    let json = path.map { " for \(JSONPath.text(of: $0).quoted)" } ?? ""
    return "\(name.shown) \(type.rawValue)\(names)\(json)"
  }
}

/// `12,000 rows`
func counted(_ count: Int, _ word: String) -> String {
  let digits = Array(String(count))
  let grouped = digits.enumerated().map { place, digit in
    place > 0 && (digits.count - place).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
  }
  return "\(grouped.joined()) \(word)\(count == 1 ? "" : "s")"
}

/// How rows leave as JSON.
public struct ExportOptions: Sendable, Hashable {
  /// How names are spelled that weren't declared. Default ``NameStyle/snake``.
  public var style = NameStyle.snake
  /// What becomes of the rows that hang on a row. Default ``Relations/arrays``.
  public var relations = Relations.arrays
  /// How the objects follow each other. Default ``Form/array``.
  public var form = Form.array
  /// How points in time are written. Default ``ExportedDates/rfc3339``.
  public var dates = ExportedDates.rfc3339
  /// How many rows deep nested rows stand in full; those below are given by their keys. Default: as
  /// deep as a reader of the JSON can follow, some two hundred rows.
  public var depth: Int?
  /// By which columns the rows at the top come, before positions and keys. Default: none.
  public var order: [RecordOrder] = []
  /// How many rows at the top are written at most. Default: all of them.
  public var limit: Int?

  /// The defaults.
  public init() {}

  /// What becomes of relations.
  public enum Relations: String, Sendable, Hashable {
    /// One row is an object, several are an array of them; a row that was met before is given by
    /// its key. This is what a sync reads.
    case arrays
    /// As arguments of a form: `notes_attributes: {"0": …}`. A column `destroy` is `_destroy`.
    case nested
    /// Only the keys of the rows: `company_id`, `tag_ids`.
    case keys
    /// None of them, nor the columns that refer to other rows.
    case none
  }

  /// How objects follow each other.
  public enum Form: Sendable, Hashable {
    /// One array; a single row, asked for by its key, is an object.
    case array
    /// One object a line (NDJSON).
    case lines
  }
}

/// By which column rows come. What is NULL comes before all else, and with `descending` after it.
public struct RecordOrder: Sendable, Hashable {
  /// The column's name.
  public var column: String
  /// Whether the greatest value comes first.
  public var isDescending: Bool

  /// The smallest value first.
  public static func ascending(_ column: String) -> RecordOrder {
    RecordOrder(column: column, isDescending: false)
  }

  /// The greatest value first.
  public static func descending(_ column: String) -> RecordOrder {
    RecordOrder(column: column, isDescending: true)
  }
}

/// Which rows of a table leave.
public enum RecordSelection: Sendable, Hashable {
  /// All of them.
  case all
  /// The row of a key; of a key of several columns an array.
  case key(RecordValue)
  /// Those that fulfil a condition in SQL over the table's columns, with `?` for each of the
  /// values.
  case condition(String, values: [RecordValue])
}

import SyncText

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

/// How points in time are written, which are always UTC.
public enum ExportedDates: Sendable, Hashable {
  /// `2026-11-22T09:30:00.000Z`
  case rfc3339
  /// Whole seconds since 1970, a number.
  case seconds
  /// Milliseconds since 1970, a number.
  case milliseconds
  /// A text in which `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and `%L` (milliseconds) are replaced by
  /// digits, and `%%` by `%`. Anything else stays as it is.
  case pattern(String)

  func write(_ moment: Timestamp, to output: inout [UInt8]) {
    switch self {
    case .rfc3339: moment.text.write(to: &output)
    case .seconds: moment.seconds.write(to: &output)
    case .milliseconds: moment.milliseconds.write(to: &output)
    case .pattern(let pattern): Self.filled(pattern, with: moment).write(to: &output)
    }
  }

  /// The same for a parameter of an address: a moment without milliseconds has none.
  func text(of moment: Timestamp) -> String {
    switch self {
    case .rfc3339: Self.filled("%Y-%m-%dT%H:%M:%S.%LZ", with: moment).replacing(".000Z", with: "Z")
    case .seconds: "\(moment.seconds)"
    case .milliseconds: "\(moment.milliseconds)"
    case .pattern(let pattern): Self.filled(pattern, with: moment)
    }
  }

  private static func filled(_ pattern: String, with moment: Timestamp) -> String {
    let digits = Array(moment.text)
    var output = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%", let letter = rest.first else {
        output.append(character)
        continue
      }
      guard let range = places[letter] else {
        output.append(character)
        if letter == "%" { rest.removeFirst() }
        continue
      }
      output += digits[range]
      rest.removeFirst()
    }
    return output
  }

  /// Where the digits stand in `2026-11-22T09:30:00.000Z`.
  private static let places: [Character: Range<Int>] = [
    "Y": 0..<4, "m": 5..<7, "d": 8..<10, "H": 11..<13, "M": 14..<16, "S": 17..<19, "L": 20..<23,
  ]
}

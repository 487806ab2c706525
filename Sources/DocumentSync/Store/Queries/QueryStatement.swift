import SyncDatabase
private import SyncText

/// A query as statements of SQL. Values are bound; paths stand in the text as the hexadecimal
/// digits of their bytes, so that SQLite knows an index on a path again.
struct QueryStatement {
  let query: DocumentQuery
  /// The numbers of the collections that are meant; of none, nothing is found.
  let scopes: [Int64]
  /// Those that may not be read: what was made here is found in them.
  var hidden: [Int64] = []

  /// Which documents, with or without their contents.
  func rows(withBodies: Bool) -> SQL {
    let columns: SQL = withBodies ? "id, scope, body" : "id, scope"
    return """
      SELECT \(columns) FROM documents WHERE \(condition)
      ORDER BY \(order) LIMIT \(query.limit ?? -1) OFFSET \(query.offset)
      """
  }

  /// How many there are, whatever limit and offset are.
  var count: SQL { "SELECT count(*) AS count FROM documents WHERE \(condition)" }

  private var condition: SQL {
    let seen: SQL = "\(home) AND \(MemberIndex.seen)"
    guard let condition = query.condition else { return seen }
    return "\(seen) AND \(ConditionStatement.sql(condition))"
  }

  private var home: SQL {
    let all: [SQL] = scopes.map { "\($0)" }
    let home: SQL = all.count == 1 ? "scope = \(all[0])" : "scope IN (\(all))"
    guard !hidden.isEmpty else { return home }
    let hidden: [SQL] = hidden.map { "\($0)" }
    return "(\(home) OR scope IN (\(hidden)) AND base_version IS NULL)"
  }

  private var order: SQL {
    let parts: [SQL] = query.order.map { order in
      let key = ConditionStatement.key(of: order.path)
      return order.isDescending ? "\(key) DESC" : key
    }
    return "\(parts + ["id"], separator: ", ")"
  }
}

enum ConditionStatement {
  /// So many values are bound one by one; more go in one.
  private static let fewValues = 500
  private static let never: SQL = "0"

  /// What the value at a path compares by.
  static func key(of path: DocumentPath) -> SQL {
    "document_key(body, \(literal: PathCode.bytes(of: path)))"
  }

  /// The condition, in parentheses where it has parts.
  static func sql(_ condition: DocumentCondition) -> SQL {
    switch condition {
    case .equal(let path, let value): "\(key(of: path)) = \(ComparisonKey.key(value))"
    case .not(let path, let value): "\(key(of: path)) <> \(ComparisonKey.key(value))"
    case .less(let path, let value): ordered(path, value) { "\($0) >= \($1) AND \($0) < \($2)" }
    case .lessOrEqual(let path, let value):
      ordered(path, value) { "\($0) >= \($1) AND \($0) <= \($2)" }
    case .greater(let path, let value):
      ordered(path, value, isBelow: false) { "\($0) > \($1) AND \($0) < \($2)" }
    case .greaterOrEqual(let path, let value):
      ordered(path, value, isBelow: false) { "\($0) >= \($1) AND \($0) < \($2)" }
    case .among(let path, let values): among(path, values)
    case .like(let path, let pattern): like(path, pattern)
    case .matches(let text):
      WordQuery.match(text).map {
        """
        documents.number IN (
          SELECT rowid FROM documents_by_words WHERE documents_by_words MATCH \($0))
        """
      } ?? never
    case .null(let path): "\(key(of: path)) = \(ComparisonKey.key(.null))"
    case .exists(let path): "\(key(of: path)) IS NOT NULL"
    case .missing(let path): "\(key(of: path)) IS NULL"
    case .and(let parts): parts.isEmpty ? "1" : joined(parts.map(sql)[...]) { "(\($0) AND \($1))" }
    case .or(let parts): parts.isEmpty ? never : joined(parts.map(sql)[...]) { "(\($0) OR \($1))" }
    }
  }

  /// Between a value and the end of its type.
  private static func ordered(
    _ path: DocumentPath, _ value: DocumentValue, isBelow: Bool = true,
    _ sql: (_ key: SQL, _ first: SQL, _ end: SQL) -> SQL
  ) -> SQL {
    let (key, bound) = (key(of: path), ComparisonKey.key(value))
    guard let type = ComparisonKey.ordered(with: bound) else { return never }
    return isBelow
      ? "(\(sql(key, "\(type.first)", "\(bound)")))" : "(\(sql(key, "\(bound)", "\(type.end)")))"
  }

  private static func among(_ path: DocumentPath, _ values: [DocumentValue]) -> SQL {
    let keys = Set(values.map { ComparisonKey.key($0) }).sorted { $0.lexicographicallyPrecedes($1) }
    if keys.isEmpty { return never }
    guard keys.count > fewValues else {
      let bound: [SQL] = keys.map { "\($0)" }
      return "\(key(of: path)) IN (\(bound))"
    }
    // SQLite takes only so many values for one statement.
    let list = "[" + keys.map { #""\#($0.hexadecimal)""# }.joined(separator: ",") + "]"
    return "hex(\(key(of: path))) IN (SELECT value FROM json_each(\(list)))"
  }

  private static func like(_ path: DocumentPath, _ pattern: String) -> SQL {
    let (key, code) = (key(of: path), PathCode.bytes(of: path))
    let (first, end) = ComparisonKey.strings(from: LikePattern.prefix(of: pattern.utf8))
    // An index has the strings of a prefix together.
    return """
      (\(key) >= \(first) AND \(key) < \(end) AND document_like(body, \(literal: code), \(pattern)))
      """
  }

  /// By halves: SQLite bears no deep expressions.
  private static func joined(_ parts: ArraySlice<SQL>, _ join: (SQL, SQL) -> SQL) -> SQL {
    guard parts.count > 1, let first = parts.first else { return parts.first ?? never }
    let middle = parts.startIndex + parts.count / 2
    if parts.count == 2 { return join(first, parts[middle]) }
    return join(joined(parts[..<middle], join), joined(parts[middle...], join))
  }
}

extension [UInt8] {
  /// As SQLite's `hex` writes them.
  fileprivate var hexadecimal: String { map { Hexadecimal.upper($0) }.joined() }
}

import SyncDatabase
private import SyncText

/// An index on what stands at paths, so that queries find documents by it without a look at all.
///
/// It serves conditions on its first path, and on the next ones where those before are equal to
/// something, and it has documents sorted by its paths. One of no paths has the documents of each
/// collection by their ids. Each costs a part of each write.
public struct MemberIndex: Sendable, Hashable {
  package let paths: [DocumentPath]

  /// An index on these paths, the first of which matters most.
  public init(on paths: DocumentPath...) {
    self.paths = paths
  }
}

extension MemberIndex {
  /// Which documents it has: those that people see. Every query says the same, in the same words.
  static let seen: SQL = "NOT hidden AND body IS NOT NULL"
  /// What the names of all begin with.
  static let prefix = "documents_by_"

  /// The same for the same paths, and for no others.
  fileprivate var name: Identifier? {
    let digest = SHA256Digest(of: Array("\(ComparisonKey.form) \(definition.description)".utf8))
    return Identifier(Self.prefix + digest.description.prefix(24))
  }

  fileprivate var statement: SQL? {
    name.map { "CREATE INDEX \($0) ON documents (\(definition)) WHERE \(Self.seen)" }
  }

  /// How many rows there are in all, and of each value of the columns one after the other, so far
  /// as SQLite's planner is to know (sqlite.org, "The sqlite_stat1 Table"). It takes a collection
  /// for a handful of documents, unless it's told otherwise, and reads all of it.
  fileprivate var statistics: String {
    let keys = paths.indices.map { $0 == 0 ? 100 : max(2, 20 >> $0) }
    return ([1_000_000, 500_000] + keys + [1]).map(String.init).joined(separator: " ")
  }

  private var definition: SQL {
    let keys = paths.map { ConditionStatement.key(of: $0) }
    let columns: [SQL] = ["scope"] + keys + ["id"]
    return "\(columns)"
  }
}

/// Makes the indexes that are declared, and removes those that are no more.
struct DeclaredIndexes {
  let indexes: [MemberIndex]

  /// Brings a file's indexes up to date; where they are, nothing is written.
  func make(in connection: Connection) throws {
    guard try !isDone(in: connection) else { return }
    try connection.transaction {
      // Makes the table of statistics, if there is none.
      try connection.execute("ANALYZE sqlite_schema")
      var missing = wanted
      for (name, statement) in try Self.present(in: connection) {
        if missing[name]?.description == statement {
          missing[name] = nil
        } else {
          try connection.run("DROP INDEX \(name)")
        }
      }
      for index in indexes {
        guard let name = index.name, let statement = missing.removeValue(forKey: name) else {
          continue
        }
        try connection.run(statement)
        try connection.run(
          "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('documents', ?1, ?2)", name.name,
          index.statistics)
      }
      // Reads them.
      try connection.execute("ANALYZE sqlite_schema")
    }
  }

  /// Makes the table of documents anew by `body`, and then the indexes that it had.
  static func keepingThose(in connection: Connection, _ body: () throws -> Void) throws {
    let indexes = try present(in: connection)
    guard !indexes.isEmpty else { return try body() }
    let statistics = try connection.rows(
      "SELECT idx, stat FROM sqlite_stat1 WHERE tbl = 'documents' AND idx IS NOT NULL"
    ) { (try $0.text("idx"), try $0.text("stat")) }
    for name in indexes.keys { try connection.run("DROP INDEX \(name)") }
    try body()
    // Their keys are functions of ours.
    try QueryFunctions.install(in: connection)
    for statement in indexes.values { try connection.run(SQL(written: statement, values: [])) }
    for (name, figures) in statistics where indexes.keys.contains(where: { $0.name == name }) {
      try connection.run(
        "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('documents', ?1, ?2)", name, figures)
    }
    try connection.execute("ANALYZE sqlite_schema")
  }

  private var wanted: [Identifier: SQL] {
    var wanted: [Identifier: SQL] = [:]
    for index in indexes {
      if let name = index.name { wanted[name] = index.statement }
    }
    return wanted
  }

  private func isDone(in connection: Connection) throws -> Bool {
    try wanted.mapValues(\.description) == Self.present(in: connection)
  }

  /// Those of the file, with the statements that made them.
  private static func present(in connection: Connection) throws -> [Identifier: String] {
    let found = try connection.rows(
      """
      SELECT name, sql FROM sqlite_schema
      WHERE type = 'index' AND substr(name, 1, length(?1)) = ?1
      """, MemberIndex.prefix
    ) { (Identifier(try $0.text("name")), try $0.text("sql")) }
    return found.reduce(into: [:]) { present, index in
      if let name = index.0 { present[name] = index.1 }
    }
  }
}

import SyncDatabase

/// Which members of a collection's documents are searched by their words, see
/// ``DocumentCondition/matches(_:)``.
///
/// ```swift
/// MemberText(of: Note.collection, on: Note[\.title], Note[\.text])
/// ```
///
/// Of a member that is an array or an object, all strings in it count. It costs a part of each
/// write, and about as much room as the text does.
public struct MemberText: Sendable, Hashable {
  package let collection: String
  package let paths: [DocumentPath]

  /// These members of a collection's documents.
  public init(of collection: String, on paths: DocumentPath...) {
    (self.collection, self.paths) = (collection, paths)
  }
}

/// Makes the index of words (sqlite.org, "SQLite FTS5 Extension") that is declared, and removes it
/// where it isn't any more.
///
/// The file says which members are meant, and SQLite notes which documents were changed, whoever
/// does it. Whoever changes them takes their words in at the end of the same transaction, whether
/// or not the index was declared to that one.
struct DeclaredWords {
  let texts: [MemberText]

  // All names begin as those of declared indexes do.
  private static let tables: StaticString = """
    CREATE TABLE documents_by_words_of (
      collection TEXT NOT NULL,
      -- Where a member stands.
      path TEXT NOT NULL,
      PRIMARY KEY (collection, path)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE documents_by_words_news (number INTEGER PRIMARY KEY) STRICT;
    CREATE VIRTUAL TABLE documents_by_words
      USING fts5(words, tokenize = 'unicode61 remove_diacritics 2');
    CREATE TRIGGER documents_by_words_added AFTER INSERT ON documents BEGIN
        INSERT OR IGNORE INTO documents_by_words_news (number) VALUES (new.number);
      END;
    CREATE TRIGGER documents_by_words_changed AFTER UPDATE OF body, scope ON documents
      WHEN old.body IS NOT new.body OR old.scope <> new.scope BEGIN
        INSERT OR IGNORE INTO documents_by_words_news (number) VALUES (new.number);
      END;
    CREATE TRIGGER documents_by_words_gone AFTER DELETE ON documents BEGIN
        INSERT OR IGNORE INTO documents_by_words_news (number) VALUES (old.number);
      END;
    """

  private static let noTables: StaticString = """
    DROP TRIGGER IF EXISTS documents_by_words_added;
    DROP TRIGGER IF EXISTS documents_by_words_changed;
    DROP TRIGGER IF EXISTS documents_by_words_gone;
    DROP TABLE documents_by_words;
    DROP TABLE documents_by_words_news;
    DROP TABLE documents_by_words_of;
    """

  /// Brings a file's index up to date; where it is, nothing is written.
  func make(in connection: Connection) throws {
    guard try declared(in: connection) != wanted || !isNoted(in: connection) else { return }
    try connection.transaction {
      if try WordTable.isThere(in: connection) { try connection.execute(Self.noTables) }
      guard !wanted.isEmpty else { return }
      try connection.execute(Self.tables)
      for (collection, path) in wanted.map({ ($0.collection, $0.path) }) {
        try connection.run(
          "INSERT INTO documents_by_words_of (collection, path) VALUES (?1, ?2)", collection, path)
      }
      try connection.run(
        """
        INSERT INTO documents_by_words_news (number) SELECT documents.number FROM documents
        JOIN scopes ON scopes.number = scope
        WHERE collection IN (SELECT collection FROM documents_by_words_of)
        """)
      try WordTable(connection: connection).takeNews()
    }
  }

  /// Whether what is changed is noted, if anything is declared: not in a table that was made anew.
  private func isNoted(in connection: Connection) throws -> Bool {
    let count = try connection.row(
      """
      SELECT count(*) FROM sqlite_schema
      WHERE type = 'trigger' AND tbl_name = 'documents' AND name LIKE 'documents_by_words%'
      """
    ) { try $0.integer(0) }
    return count == (wanted.isEmpty ? 0 : 3)
  }

  private struct Declared: Hashable {
    let collection: String
    let path: String
  }

  private var wanted: Set<Declared> {
    Set(
      texts.flatMap { text in
        text.paths.map { Declared(collection: text.collection, path: $0.description) }
      })
  }

  private func declared(in connection: Connection) throws -> Set<Declared> {
    guard try WordTable.isThere(in: connection) else { return [] }
    return Set(
      try connection.rows("SELECT collection, path FROM documents_by_words_of") {
        Declared(collection: try $0.text("collection"), path: try $0.text("path"))
      })
  }
}

/// The index of words, where there is one.
struct WordTable {
  let connection: Connection

  static func isThere(in connection: Connection) throws -> Bool {
    try connection.hasTable("documents_by_words")
  }

  /// Takes in what was changed.
  func takeNews() throws {
    let paths = try paths()
    while true {
      // Many may have been changed, and each may be long.
      let news = try connection.rows("SELECT number FROM documents_by_words_news LIMIT 200") {
        try $0.integer("number")
      }
      if news.isEmpty { return }
      for number in news { try renew(number, paths) }
    }
  }

  private func renew(_ number: Int64, _ paths: [String: [DocumentPath]]) throws {
    let found = try connection.row(
      """
      SELECT collection, body FROM documents JOIN scopes ON scopes.number = scope
      WHERE documents.number = ?1 AND body IS NOT NULL
      """, number
    ) { (try $0.text("collection"), try DocumentValue($0, "body")) }
    try connection.run("DELETE FROM documents_by_words WHERE rowid = ?1", number)
    try connection.run("DELETE FROM documents_by_words_news WHERE number = ?1", number)
    guard let (collection, body) = found, let paths = paths[collection] else { return }
    var words: [String] = []
    for path in paths { body[path]?.addStrings(to: &words) }
    // A line for each, so that no phrase goes from one to the next.
    try connection.run(
      "INSERT INTO documents_by_words (rowid, words) VALUES (?1, ?2)", number,
      words.joined(separator: "\n"))
  }

  private func paths() throws -> [String: [DocumentPath]] {
    let declared = try connection.rows("SELECT collection, path FROM documents_by_words_of") {
      (try $0.text("collection"), try $0.text("path"))
    }
    return try declared.reduce(into: [:]) { paths, row in
      paths[row.0, default: []].append(try DocumentPath(parsing: row.1))
    }
  }
}

extension DocumentValue {
  /// All strings in it.
  fileprivate func addStrings(to words: inout [String]) {
    if let string {
      words.append(string)
    } else if let elements {
      for element in elements { element.addStrings(to: &words) }
    } else if let members {
      for member in members { member.value.addStrings(to: &words) }
    }
  }
}

/// What people look for, as SQLite's full-text search is asked for it.
enum WordQuery {
  /// All of the words; `nil` where there are none. What is no letter and no digit divides words,
  /// but for a `*` at a word's end, which stands for all that begins so.
  static func match(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).filter { word in
      word.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    }
    if words.isEmpty { return nil }
    return words.map { word in
      let isPrefix = word.hasSuffix("*")
      let quoted = word.split(separator: "\"").joined(separator: " ")
      return "\"\(isPrefix ? String(quoted.dropLast()) : quoted)\"" + (isPrefix ? "*" : "")
    }.joined(separator: " AND ")
  }
}

extension DocumentCondition {
  /// Whether words are looked for.
  var asksForWords: Bool {
    switch self {
    case .matches: true
    case .and(let parts), .or(let parts): parts.contains(where: \.asksForWords)
    case .equal, .not, .less, .lessOrEqual, .greater, .greaterOrEqual, .among, .like, .null,
      .exists, .missing:
      false
    }
  }
}

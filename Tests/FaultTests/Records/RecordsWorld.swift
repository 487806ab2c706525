import Foundation
import SyncDatabase

/// Tables in two states, and the payloads that make them: on the way from one to the other a sync does
/// everything that it can do to a database.
struct RecordsWorld {
  /// How many users each state has.
  let users: Int

  /// One whose syncs take a hundred system calls or so.
  static let small = RecordsWorld(users: 40)
  /// One whose syncs take long enough to be caught in the middle.
  static let large = RecordsWorld(users: 400)

  enum State: CaseIterable {
    case old, new

    var other: State { self == .old ? .new : .old }
  }

  /// How SQLite makes transactions atomic.
  enum Journal: CaseIterable, CustomStringConvertible {
    case rollback, log

    var description: String { self == .rollback ? "a rollback journal" : "a write-ahead log" }
  }

  /// Makes the tables. The pages are small and few of them are held, so that a sync has to write some
  /// of them long before it ends.
  func makeTables(at place: URL, _ journal: Journal) throws {
    var options = ConnectionOptions()
    options.journal = .asItIs
    let connection = try Connection(path: place.path, options: options)
    try connection.execute("PRAGMA page_size = 1024; PRAGMA default_cache_size = 10")
    if journal == .log { try connection.query("PRAGMA journal_mode = WAL") { _ in } }
    try connection.execute(
      """
      CREATE TABLE companies (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE users (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE,
        company_id INTEGER REFERENCES companies (id));
      CREATE TABLE notes (
        id INTEGER PRIMARY KEY, text TEXT, user_id INTEGER REFERENCES users (id) ON DELETE CASCADE);
      CREATE INDEX notes_of_users ON notes (user_id);
      CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE user_tags (
        user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
        tag_id INTEGER REFERENCES tags (id), PRIMARY KEY (user_id, tag_id)) WITHOUT ROWID;
      """)
  }

  /// Users come and go, and swap addresses of which each is one user's only; notes change, come and
  /// go with the users and alone; links lead elsewhere.
  func payload(_ state: State) -> String {
    let first = state == .old ? 0 : users / 4
    let objects = (first..<first + users).map { user(1 + $0, state) }
    return "[\(objects.joined(separator: ",\n"))]"
  }

  private func user(_ id: Int, _ state: State) -> String {
    let isNew = state == .new
    let tags = (0..<3).map { (id * (isNew ? 3 : 2) + $0) % 5 }
    let notes = (0..<2).map { number in
      let words = String(
        repeating: "\(id) \(id % 3 == 0 && isNew ? "changed" : "as it was") ", count: 9)
      return #"{"id": \#(id * 10 + number + (isNew ? 1 : 0)), "text": "\#(words)"}"#
    }
    return #"""
      {"id": \#(id), "name": "user \#(id)\#(id % 2 == 0 && isNew ? ", renamed" : "")",
       "email": "\#(isNew ? id ^ 1 : id)@example.org",
       "company": {"id": \#(id % 7 + 1), "name": "company \#(id % 7 + 1) \#(state)"},
       "tags": [\#(tags.map { #"{"id": \#($0), "name": "tag \#($0)"}"# }.joined(separator: ","))],
       "notes": [\#(notes.joined(separator: ","))]}
      """#
  }

  /// All rows of a database, which must be whole, from one moment.
  static func rows(of connection: Connection) throws -> [String] {
    try connection.reading {
      var rows: [String] = []
      let queries: [SQL] = [
        "SELECT 'companies', json_array(id, name) FROM companies ORDER BY id",
        "SELECT 'users', json_array(id, name, email, company_id) FROM users ORDER BY id",
        "SELECT 'notes', json_array(id, text, user_id) FROM notes ORDER BY id",
        "SELECT 'tags', json_array(id, name) FROM tags ORDER BY id",
        "SELECT 'user_tags', json_array(user_id, tag_id) FROM user_tags ORDER BY 2",
      ]
      for query in queries {
        rows += try connection.rows(query) { "\(try $0.text(0)) \(try $0.text(1))" }
      }
      return rows
    }
  }

  /// What is wrong with a database as such.
  static func faults(of connection: Connection) throws -> [String] {
    let broken = try connection.rows("PRAGMA integrity_check") { try $0.text(0) }
      .filter { $0 != "ok" }
    return broken + (try connection.rows("PRAGMA foreign_key_check") { try $0.text(0) })
  }
}

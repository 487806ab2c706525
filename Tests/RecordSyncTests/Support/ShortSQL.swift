import Foundation

/// Statements of SQL, of which some are written shorter:
/// `users: name TEXT, firm_id -> firms` is a table with `id INTEGER PRIMARY KEY` and these columns, in
/// which the arrow is `INTEGER REFERENCES`; `links (a_id -> users, PRIMARY KEY (a_id))` is a table with
/// these columns alone; `users = (1, 'Ann')` are its rows.
enum ShortSQL {
  /// The statements, which are parted by semicolons, as SQLite knows them.
  static func statements(_ text: String) -> [String] {
    text.split(separator: ";").compactMap {
      let statement = $0.trimmingCharacters(in: .whitespacesAndNewlines)
      return statement.isEmpty ? nil : sql(statement)
    }
  }

  private static func sql(_ statement: String) -> String {
    if let table = statement.wholeMatch(of: /(\w+):\s*(.*)/.dotMatchesNewlines()) {
      let columns = table.2.isEmpty ? "" : ", \(linked(table.2))"
      return "CREATE TABLE \(table.1) (id INTEGER PRIMARY KEY\(columns))"
    }
    if let table = statement.wholeMatch(of: /(\w+) (\(.*)/.dotMatchesNewlines()) {
      return "CREATE TABLE \(table.1) \(linked(table.2))"
    }
    if let rows = statement.wholeMatch(of: /(\w+) = (\(.*)/.dotMatchesNewlines()) {
      return "INSERT INTO \(rows.1) VALUES \(rows.2)"
    }
    return statement
  }

  private static func linked(_ columns: Substring) -> String {
    String(columns.replacing(" -> ", with: " INTEGER REFERENCES "))
  }
}

import Console
import RecordSync

/// A table was named that isn't there.
struct UnknownTable: Error, Equatable, CustomStringConvertible {
  var name: String
  var tables: [String]

  /// What there is, or what may have been meant.
  var description: String {
    let start = "there is no table '\(name.escaped)' in the database"
    guard !tables.isEmpty else {
      return "\(start), and no other; check that it is the right file"
    }
    let near = Suggestion.nearest(to: name.lowercased(), among: tables.map { $0.lowercased() })
    if let near, let table = tables.first(where: { $0.lowercased() == near }) {
      return "\(start); did you mean '\(table.escaped)'?"
    }
    let named = tables.prefix(10).map { $0.escaped }.joined(separator: ", ")
    return "\(start); it has \(named)" + (tables.count > 10 ? " and others" : "")
  }
}

extension RecordSchema {
  func requireTable(_ name: String) throws {
    guard hasTable(name) else { throw UnknownTable(name: name, tables: tableNames) }
  }

  /// What the schema says of a table; throws ``UnknownTable`` where it says nothing.
  func require<Found>(_ found: Found?, of table: String) throws -> Found {
    guard let found else { throw UnknownTable(name: table, tables: tableNames) }
    return found
  }

  /// The key of a row as the command line has it; throws ``UnknownTable``.
  func requireKey(_ text: String, of table: String) throws -> RecordValue {
    try require(key(text, of: table), of: table)
  }
}

import Console
import RecordSync
import SyncText

/// A table was named that isn't there.
struct UnknownTable: Error, Equatable, CustomStringConvertible {
  var name: String
  /// Those that are there.
  var tables: [String]

  /// What there is, or what may have been meant.
  var description: String {
    let start = "there is no table '\(ByteString.escape(name))' in the database"
    guard !tables.isEmpty else {
      return "\(start), and no other; check that it is the right file"
    }
    let near = Suggestion.nearest(to: name.lowercased(), among: tables.map { $0.lowercased() })
    if let near, let table = tables.first(where: { $0.lowercased() == near }) {
      return "\(start); did you mean '\(ByteString.escape(table))'?"
    }
    let named = tables.prefix(10).map { ByteString.escape($0) }.joined(separator: ", ")
    return "\(start); it has \(named)" + (tables.count > 10 ? " and others" : "")
  }
}

extension RecordSchema {
  /// The place of a table; throws ``UnknownTable``.
  func requirePlace(of name: String) throws -> Int {
    guard let place = place(of: name) else {
      throw UnknownTable(name: name, tables: tables.map(\.name))
    }
    return place
  }
}

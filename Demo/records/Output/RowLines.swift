import Console
import RecordSync

/// What would be done with which rows of a table, for people: the first of each kind, and how many
/// more there are.
enum RowLines {
  /// How many of a kind are named one by one.
  static let mostNamed = 10

  /// `  change 2: age`
  static func lines(of table: TableReport) -> [String] {
    let lines =
      rows("add", table.inserted)
      + first("change", table.updated) { row in
        let columns = row.columns.map { $0.escaped }
        return "\(shown(row.key)): \(columns.joined(separator: ", "))"
      } + rows("delete", table.deleted) + rows("move", table.moved)
    return lines.map { "  \($0)" }
  }

  private static func rows(_ verb: String, _ keys: [RecordKey]) -> [String] {
    first(verb, keys, shown)
  }

  private static func first<Row>(
    _ verb: String, _ rows: [Row], _ text: (Row) -> String
  ) -> [String] {
    let more = rows.count - mostNamed
    return rows.prefix(mostNamed).map { "\(verb) \(text($0))" }
      + (more > 0 ? ["\(verb) \(more) more"] : [])
  }

  private static func shown(_ key: RecordKey) -> String { key.description.escaped }
}

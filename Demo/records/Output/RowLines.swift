import Console
import RecordSync

/// What would be done with which rows of a table, for people: the first of each kind, and how many
/// more there are.
enum RowLines {
  /// `  change 2: age`
  static func lines(of table: TableReport) -> [String] {
    lines("add", table.inserted, shown)
      + lines("change", table.updated) { row in
        let columns = row.columns.map { $0.escaped }
        return "\(shown(row.key)): \(columns.joined(separator: ", "))"
      } + lines(deletion(table), table.deleted, shown) + lines("move", table.moved, shown)
  }

  /// Rows of one table are all deleted or all marked, but for those that the database deletes.
  private static func deletion(_ table: TableReport) -> String {
    table.marked == 0 ? "delete" : table.marked == table.deleted.count ? "mark" : "delete or mark"
  }

  private static func lines<Rows: Collection>(
    _ verb: String, _ rows: Rows, _ text: (Rows.Element) -> String
  ) -> [String] {
    rows.lines {
      "  \(verb) \(text($0))"
    } more: {
      "  \(verb) \($0) more"
    }
  }

  private static func shown(_ key: RecordKey) -> String { key.description.escaped }
}

extension Collection {
  /// What is said of the first ten, one by one, and of how many more there are.
  func lines(_ line: (Element) -> String, more: (Int) -> String) -> [String] {
    prefix(10).map(line) + (count > 10 ? [more(count - 10)] : [])
  }
}

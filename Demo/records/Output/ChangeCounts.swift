import Console
import RecordSync

/// How many rows and links were changed in which way, and what was made for them.
struct ChangeCounts {
  private static let kinds: [(done: String, verb: String, count: @Sendable (TableReport) -> Int)] =
    [
      ("added", "add", { $0.inserted.count }), ("changed", "change", { $0.updated.count }),
      ("deleted", "delete", { $0.deleted.count - $0.marked }),
      ("marked as gone", "mark as gone", { $0.marked }),
      ("of them by cascade", "", { $0.cascaded }), ("moved", "move", { $0.moved.count }),
      ("linked", "link", { $0.linked }), ("unlinked", "unlink", { $0.unlinked }),
      ("reordered", "reorder", { $0.reordered }),
    ]

  private let tables: [TableReport]
  private let made: [SchemaChange]

  init(_ table: TableReport) { (tables, made) = ([table], []) }

  init(_ report: RecordReport) { (tables, made) = (Array(report.tables.values), report.made) }

  /// `1 table made, 3 added, 1 changed`; empty where nothing was.
  var done: String {
    (madeParts.map { "\($0) made" } + parts { "\($0.count) \($0.done)" }).joined(separator: ", ")
  }

  /// `make 1 table, add 3, change 1`; empty where nothing would be.
  var planned: String {
    (madeParts.map { "make \($0)" }
      + parts { $0.verb.isEmpty ? "\($0.count) \($0.done)" : "\($0.verb) \($0.count)" })
      .joined(separator: ", ")
  }

  private var madeParts: [String] {
    let columns = made.count { $0.column != nil }
    let tables = made.count { if case .table = $0 { true } else { false } }
    return [(tables, "table"), (columns, "column")].filter { $0.0 > 0 }
      .map { Amounts.count($0.0, $0.1) }
  }

  private func parts(
    _ text: ((done: String, verb: String, count: Int)) -> String
  ) -> [String] {
    Self.kinds.compactMap { kind in
      let count = tables.reduce(0) { $0 + kind.count($1) }
      return count > 0 ? text((kind.done, kind.verb, count)) : nil
    }
  }
}

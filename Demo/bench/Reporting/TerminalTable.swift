/// A scenario's result for a terminal.
enum TerminalTable {
  static func text(of result: ScenarioResult) -> String {
    let verdicts = result.verdicts.map { "\($0.isMet ? "met    " : "NOT MET") \($0.sentence)" }
    let commands = result.contenders.map { "\($0.name): \($0.command)" }
    let blocks = [
      ["\(result.name)  \(result.title)", result.note],
      table(ResultTable.rows(of: result)) + ResultTable.legend(of: result),
      ResultTable.remarks(on: result), verdicts, commands,
    ]
    return "\n"
      + blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  /// The first column to the left, figures to the right.
  private static func table(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }.joined(separator: "  ")
    }
  }
}

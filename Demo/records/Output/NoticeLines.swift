import Console
import RecordSync

/// What was noticed and didn't stop the sync, for people: the first of each kind, and how many more
/// there are.
struct NoticeLines {
  private let table: String
  private let report: TableReport

  private init(_ table: String, _ report: TableReport) {
    self.table = table.escaped
    self.report = report
  }

  /// Of all tables, by their names.
  static func lines(of report: RecordReport) -> [String] {
    report.remarks.map { "\($0)\($0.option)" } + tables(of: report).flatMap(\.lines)
  }

  /// Of the rows alone that the database refused.
  static func refusals(of report: RecordReport) -> [String] {
    tables(of: report).flatMap(\.refused)
  }

  private static func tables(of report: RecordReport) -> [NoticeLines] {
    report.tables.sorted { $0.key < $1.key }.map { NoticeLines($0.key, $0.value) }
  }

  private var lines: [String] {
    refused + skipped + mismatched + unresolved + stayed + keptEdits + twins + unknown
  }

  private var refused: [String] {
    first(report.refused, "refused") {
      "\(row($0.key)) was refused: \($0.reason.escaped)"
    }
  }

  private var skipped: [String] {
    report.skipped == 0
      ? [] : ["\(table): \(Amounts.count(report.skipped, "object")) without a usable key, skipped"]
  }

  private var mismatched: [String] {
    first(report.mismatched, "of another type than their column's") {
      """
      \(row($0.key)): \($0.column.escaped) wants \($0.wanted), and \
      \($0.came.escaped) came; the column stays as it was
      """
    }
  }

  private var unresolved: [String] {
    first(report.unresolved, "that name what isn't there") {
      """
      \(row($0.key)): \($0.name.escaped) names \
      \($0.target.description.escaped), which isn't there; the link stays as it was
      """
    }
  }

  private var stayed: [String] {
    first(report.stayed, "that other parents name") {
      "\(row($0)): another parent names it, and it stays where it hangs, since nothing is unlinked"
    }
  }

  private var keptEdits: [String] {
    first(report.keptEdits, "edited here") {
      let columns = $0.columns.map { $0.escaped }.joined(separator: ", ")
      return "\(row($0.key)): \(columns.isEmpty ? "it" : columns) was edited here, and stays"
    }
  }

  private var twins: [String] {
    first(report.twins, "keys that several rows share") {
      "\(row($0)): several rows share this key, and none may be deleted; the oldest was synced"
    }
  }

  private var unknown: [String] {
    guard !report.unknown.isEmpty else { return [] }
    let names = report.unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let named = names.lines {
      "\($0.key.escaped) (\($0.value))"
    } more: {
      "and \($0) more"
    }
    return ["\(table): names that nothing takes: \(named.joined(separator: ", "))"]
  }

  private func row(_ key: RecordKey?) -> String {
    key.map { "\(table) \($0.description.escaped)" } ?? "\(table): a row without a key"
  }

  private func first<Notice>(
    _ notices: [Notice], _ rest: String, _ line: (Notice) -> String
  ) -> [String] {
    notices.lines(line) { "\(table): \($0) more \(rest)" }
  }
}

extension PayloadRemark {
  /// The option that would mend it, in brackets.
  fileprivate var option: String {
    switch self {
    case .partial(.more), .partial(.total), .partial(.noNext): " (--next PATH)"
    case .partial(.errors), .partial(.sliding), .partial(.lacking), .partial(.lists), .putAlone,
      .merged, .severalParents, .incremental, .unusableSince:
      ""
    }
  }
}

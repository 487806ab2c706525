import Console
import RecordSync

struct RowCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() async throws -> ExitStatus {
    let store = try await invocation.open()
    let start = ContinuousClock.now
    let report = try await change(store)
    let took = ContinuousClock.now - start
    if let key = try await keyOfNothing(report, store) {
      throw NoSuchRow(key: key, table: invocation.row.table)
    }
    let summary = Summary(report: report, table: invocation.row.table, purpose: .change)
    return await Streams.telling { [style = invocation.style] in summary.tell(style, took) }
  }

  /// The key, where nothing was done since no row has it: that fails, as `get` of it does. Whoever
  /// names one row by its key mostly has the wrong key then; for a row that may be gone already,
  /// `|| true` says so, while a success would be said of a typing error, too.
  private func keyOfNothing(_ report: RecordReport, _ store: RecordStore) async throws -> String? {
    let request = invocation.row
    guard !report.hasChanges, !report.isPartial, let written = request.key else { return nil }
    let key = try await store.schema().requireKey(written, of: request.table)
    return try await store.row(key, of: request.table) == nil ? written : nil
  }

  private func change(_ store: RecordStore) async throws -> RecordReport {
    let request = invocation.row
    let schema = try await store.schema()
    try schema.requireTable(request.table)
    guard let key = try request.key.map({ try schema.requireKey($0, of: request.table) }) else {
      return try await store.put(request.source, into: request.table)
    }
    if invocation.command == .delete { return try await store.delete(key, from: request.table) }
    return try await store.update(key, of: request.table, with: request.source)
  }
}

/// No row has the key that was to be changed or deleted.
private struct NoSuchRow: Error, CustomStringConvertible {
  let key: String
  let table: String

  var description: String {
    "there is no row \(key.escaped) in \(table.escaped); nothing was changed"
  }
}

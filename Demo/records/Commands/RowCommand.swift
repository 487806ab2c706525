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
    let summary = Summary(report: report, table: invocation.row.table, purpose: .change)
    return await Streams.telling { [style = invocation.style] in summary.tell(style, took) }
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

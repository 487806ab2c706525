import Console
import RecordSync
import SyncText

/// `records sync DATABASE TABLE PAYLOAD`, and `records verify` of the same.
struct SyncCommand {
  private let invocation: Invocation
  private let purpose: Summary.Purpose

  init(_ invocation: Invocation) {
    self.invocation = invocation
    purpose =
      invocation.command == .verify ? .verify : invocation.syncing.isPlan ? .plan : .sync
  }

  func run() async throws -> ExitStatus {
    let request = invocation.syncing
    let store = try await invocation.open()
    let schema = try await store.schema()
    _ = try schema.requirePlace(of: request.table)
    var options = try request.options(in: schema)
    options.isPlan = purpose != .sync
    let start = ContinuousClock.now
    let report = try await store.sync(request.source, into: request.table, options: options)
    let took = ContinuousClock.now - start
    let summary = Summary(report: report, table: request.table, purpose: purpose)
    return await Streams.telling { tell(summary, took) }
  }

  private func tell(_ summary: Summary, _ took: Duration) -> ExitStatus {
    switch invocation.style {
    case .people:
      for line in summary.tables { Streams.out(line) }
      for line in NoticeLines.lines(of: summary.report) { Streams.error("records: \(line)") }
      Streams.out("\(summary.sentence) (\(Amounts.time(took)))")
    case .quiet:
      for line in NoticeLines.refusals(of: summary.report) { Streams.error("records: \(line)") }
    case .json:
      JSONLine.write("report") { line in
        summary.report.write(to: &line)
        if purpose == .verify { line.add("equal", summary.isEqual) }
        line.add("sentence", summary.sentence)
      }
    }
    if let advice = summary.advice { Streams.error("records: \(advice)") }
    return summary.status
  }
}

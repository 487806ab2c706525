import Access
import Console
import RecordSync

struct SyncCommand {
  private let invocation: Invocation
  private let purpose: Summary.Purpose

  init(_ invocation: Invocation) {
    self.invocation = invocation
    purpose =
      invocation.command == .verify ? .verify : invocation.syncing.options.isPlan ? .plan : .sync
  }

  func run() async throws -> ExitStatus {
    guard invocation.syncing.options.creates else {
      let store = try await invocation.open()
      try await store.schema().requireTable(invocation.syncing.table)
      return try await run(over: store)
    }
    return try await invocation.withNew { try await run(over: $0) }
  }

  private func run(over store: RecordStore) async throws -> ExitStatus {
    let request = invocation.syncing
    for warning in AccessOptions.warnings(of: request.address.access, for: request.payload) {
      Streams.error("records: \(Sentence.ending(warning))")
    }
    var options = try await request.options(in: store)
    options.isPlan = purpose != .sync
    if invocation.style == .people { options.onProgress = Self.tellLongWait }
    let undoFile = try request.undoFile.map { try UndoFile($0, besides: invocation.neededFiles) }
    let start = ContinuousClock.now
    let report = try await store.sync(request.source, into: request.table, options: options)
    let took = ContinuousClock.now - start
    let summary = Summary(report: report, table: request.table, purpose: purpose)
    let problem = Self.keep(report.undo, in: undoFile)
    return await Streams.telling { [style = invocation.style] in
      let status = summary.tell(style, took)
      guard let problem else { return status }
      Streams.error("records: \(Sentence.ending("\(problem)"))")
      return .someFailed
    }
  }

  /// Of a wait that somebody may wonder about.
  private static let tellLongWait: @Sendable (RecordProgress) -> Void = { progress in
    guard let retry = progress.retry, retry.wait >= .seconds(3) else { return }
    Streams.error(
      "records: \(retry.address) is asked again in \(Amounts.time(retry.wait)): \(retry.reason)",
      .fleeting)
  }

  /// After the commit; what is done stays done, whether or not it can be taken back.
  private static func keep(_ undo: RecordUndo?, in file: UndoFile?) -> UndoFileProblem? {
    guard let file, let undo else { return nil }
    do throws(UndoFileProblem) {
      try file.keep(undo)
      return nil
    } catch {
      return error
    }
  }
}

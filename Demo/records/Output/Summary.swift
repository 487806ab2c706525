import Console
import RecordSync

/// What a sync did, for people: a line for each table, a line for all, and what to do next.
struct Summary {
  enum Purpose: Equatable {
    case sync
    case plan
    case verify
    /// A change of what was named: a row, or what a sync did.
    case change
  }

  let report: RecordReport
  let table: String
  let purpose: Purpose

  /// A line for each table that is other than before, the one that was synced first; of what would
  /// only be done, the rows as well.
  var tables: [String] {
    let changed = report.tables.filter(\.value.hasChanges).map { (name: $0.key, report: $0.value) }
    let place = { (name: String) in (name.lowercased() == table.lowercased() ? 0 : 1, name) }
    return changed.sorted { place($0.name) < place($1.name) }.flatMap { name, report in
      let counts = ChangeCounts(report)
      let line = "\(name.escaped): \(isDone ? counts.done : counts.planned)"
      return [line] + (isDone ? [] : RowLines.lines(of: report))
    }
  }

  /// A line for each table and column that was made or changed, and what from, or taken back.
  var made: [String] {
    report.made.map { "\(isDone ? "made" : "would make") \($0)" }
      + report.undone.map(\.description)
  }

  var sentence: String {
    let counts = ChangeCounts(report)
    let but = refused == 0 ? "" : ", but \(Amounts.count(refused, "row")) refused"
    switch (purpose, report.hasChanges) {
    case (.sync, true), (.change, true): return "done\(but): \(counts.done)"
    case (.plan, true): return "would\(but.isEmpty ? "" : "\(but),") \(counts.planned)"
    case (.verify, true): return "not equal\(but): a sync would \(counts.planned)"
    case (.verify, false):
      guard refused == 0 else { return "not equal\(but), and nothing else to do" }
      return isEqual ? equality : "not equal: \(sameness)"
    case (.change, false): return "unchanged\(but)"
    case (.sync, false), (.plan, false):
      return refused == 0 ? "unchanged: \(sameness)" : "unchanged\(but)"
    }
  }

  /// That nothing is to be done, and what that tells of the table.
  private var sameness: String {
    let name = table.escaped
    let isOfPart = report.remarks.contains { remark in
      switch remark {
      case .partial, .putAlone, .incremental, .unusableSince: true
      case .merged, .severalParents: false
      }
    }
    let sameness =
      isOfPart
      ? "what the payload names of \(name) is as it says, but it isn't all there is"
      : "\(name) is as the payload has it"
    let others = Exceptions(report).words
    return others.isEmpty ? sameness : "\(sameness), but for \(others.joined(separator: ", "))"
  }

  /// That table and payload are equal, and first what of the payload the table can't have.
  private var equality: String {
    let others = Exceptions(report).words
    guard !others.isEmpty else { return "equal: \(sameness)" }
    return "equal, but for \(others.joined(separator: ", ")): the rest is as the payload has it"
  }

  /// What to do next; `nil` where nothing is.
  var advice: String? {
    guard refused > 0, isDone else { return nil }
    return refused == 1
      ? "1 row was refused by the database, the rest is as it should be. Mend it and run it again."
      : """
      \(refused) rows were refused by the database, the rest is as it should be. Mend them and run \
      it again.
      """
  }

  var status: ExitStatus {
    switch purpose {
    case .sync, .plan, .change: report.isPartial ? .someFailed : .done
    case .verify: isEqual ? .done : .failed
    }
  }

  /// Whether it was done, and not only found out.
  private var isDone: Bool { purpose == .sync || purpose == .change }

  /// Whether table and payload are equal. A payload that is only a part doesn't tell.
  var isEqual: Bool {
    let isOfPart = report.remarks.contains { if case .partial = $0 { true } else { false } }
    return !report.hasChanges && !report.isPartial && !isOfPart
  }

  private var refused: Int { report.tables.values.reduce(0) { $0 + $1.refused.count } }
}

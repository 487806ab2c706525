import Console
import DocumentSync
import SyncText

/// How a sync ended.
struct SyncOutcome: Sendable {
  var report = DocumentReport()
  /// Why the server, or a collection, didn't let it do its work.
  var problem: DocumentSyncError?
  /// How the store stands after it.
  var counts: StoreCounts
  var took = Duration.zero

  /// The exit status that tells it.
  var status: ExitStatus {
    switch problem {
    case .mustWait: return .locked
    case .some: return .failed
    case nil: break
    }
    if !report.refusedRemovals.isEmpty { return .refused }
    return open == 0 && report.failures.isEmpty ? .done : .someFailed
  }

  private var open: Int { counts.conflicts + counts.setAside }

  /// The numbers that the store keeps of it.
  var runCounts: SyncRun.Counts {
    var counts = SyncRun.Counts()
    (counts.sent, counts.received) = (report.sent.count, report.received.count)
    (counts.conflicts, counts.failures) = (report.conflicts.count, report.failures.count)
    counts.lost = report.lost.count
    return counts
  }

  /// What it comes to.
  var sentence: String {
    let done = [
      (report.sent.count, "sent"), (report.received.count, "received"),
      (report.conflicts.count, report.conflicts.count == 1 ? "conflict" : "conflicts"),
      (report.lost.count, "gave way"), (report.failures.count, "failed"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    if problem != nil { return done.isEmpty ? "nothing was done" : "not all was done: \(done)" }
    return done.isEmpty ? "in step: nothing to send, nothing new" : "done: \(done)"
  }

  /// What went wrong or is to be done, a line each.
  var notices: [String] {
    let failures = report.failures.map { "\(ByteString.escape($0.name)): \($0.words)" }
    let removals = report.refusedRemovals.map {
      "\($0.count) of \($0.held) documents of \($0.collection) would have been removed, and none "
        + "was; if that is right, say so with --max-delete \($0.count)"
    }
    var rest: [String] = []
    if counts.conflicts > 0 {
      rest.append("\(counts.conflicts) in conflict; decide with 'documents resolve'")
    }
    if counts.setAside > 0 {
      rest.append("\(counts.setAside) set aside; edit them, or 'documents sync --retry'")
    }
    return (problem.map { [$0.told] } ?? []) + failures + removals + rest
  }

  /// Tells it; gives the exit status that goes with it.
  func tell(isJSON: Bool) -> ExitStatus {
    for notice in notices { Streams.error("documents: \(Sentence.ending(notice))") }
    if isJSON {
      JSONLine.write("report") { line in
        report.write(to: &line)
        line.add("sentence", sentence)
      }
    } else {
      Streams.out("\(sentence) (\(Amounts.time(took)))")
    }
    return status
  }
}

extension DocumentSyncError {
  /// The sentence for whoever called this program.
  var told: String {
    switch self {
    case .unauthorized:
      "the server doesn't accept the account or its password; nothing was dropped."
        + " Mend the password file, DOCUMENTS_PASSWORD or the netrc, and sync again"
    case .mustWait(let until):
      "the server asked to be left alone until \(Self.time(until)), and nothing was sent;"
        + " sync then, or with --now"
    default: "\(self)"
    }
  }

  private static func time(_ milliseconds: Int64) -> String {
    Timestamp(milliseconds: milliseconds)?.text ?? "\(milliseconds)"
  }
}

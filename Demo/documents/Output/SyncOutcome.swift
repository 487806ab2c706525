import Console
import DocumentSync

/// How a sync ended.
struct SyncOutcome: Sendable {
  let report: DocumentReport
  /// Why the server, or a collection, didn't let it do its work.
  let problem: DocumentSyncError?
  let server: String
  /// What to do where the server doesn't let it in.
  let access: String
  /// What documents that failed are called by whom saved them, by their ids.
  let names: [String: String]
  /// How the store stands after it.
  let counts: StoreCounts
  let waiting: WaitingDocuments
  /// What isn't in step then.
  let open: OpenWork
  /// Whether only a part of what the server has is held here.
  let isFiltered: Bool
  /// Whether what the server lost can be sent to it again.
  let canRepublish: Bool
  let took: Duration

  var status: ExitStatus {
    if isServersTrouble { return .failed }
    if !report.refusedRemovals.isEmpty || open.heldBack > 0 { return .refused }
    if report.isHeldUp { return .locked }
    let failed = report.failures.count + open.unstored
    let aside = counts.conflicts + counts.setAside + waiting.filesSetAside
    return failed + aside + report.older.count == 0 ? .done : .someFailed
  }

  /// Whether the server as a whole, or a collection, didn't let it do its work: not where it asked
  /// to be left alone before, or by its answer to what was sent.
  private var isServersTrouble: Bool {
    switch problem {
    case .mustWait: !report.isHeldUp && !report.failures.contains(where: \.isWaiting)
    case .some: true
    case nil: false
    }
  }

  /// What it comes to.
  var sentence: String {
    let left = report.received.filter(\.hasLeftFilter).count
    let gone = report.received.filter(\.isRemoval).count - left
    let counted: [(Int, String)] = [
      (report.sent.count, "sent"), (report.received.count - gone - left, "received"),
      (gone, "removed here"), (left, "left the filter"),
      (report.filesSent, report.filesSent == 1 ? "file sent" : "files sent"),
      (report.filesReceived, report.filesReceived == 1 ? "file received" : "files received"),
      (report.filesRemoved, report.filesRemoved == 1 ? "file removed" : "files removed"),
      (report.conflicts.count, report.conflicts.count == 1 ? "conflict" : "conflicts"),
      (report.lost.count, "gave way"), (report.failures.count, "failed"),
      (report.older.count, "older at the server"),
    ]
    let done = counted.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let what =
      if problem != nil {
        done.isEmpty ? "nothing was done" : "not all was done: \(done)"
      } else if done.isEmpty {
        open.sentence == nil ? inStep : "nothing new"
      } else {
        "done: \(done)"
      }
    return [what, open.sentence].compactMap(\.self).joined(separator: "; ")
  }

  private var inStep: String {
    "in step\(isFiltered ? " with what the filter lets through" : ""): nothing to send, nothing new"
  }

  /// What went wrong or is to be done, a line each.
  var notices: [String] {
    let failures = report.failures.map {
      "\(names[$0.name] ?? $0.name): \(Declarations.asOptions($0.words))".escaped
    }
    let compared = report.compared.map {
      "the server has forgotten what it had in \($0), or was restored;"
        + " all of it was compared with what is here"
    }
    let removals = report.refusedRemovals.map {
      HeldBackText.line($0, canRepublish: canRepublish)
    }
    let older = report.older.map {
      "\($0.id.text) of \($0.collection) is at the server in the older version \($0.version.text);"
        .escaped + " 'documents republish --newer' sends what is here, a sync takes the server's"
    }
    return (problem.map { [$0.told(by: server, access: access)] } ?? []) + compared + failures
      + removals + older + waiting.lines(counts) + waiting.linesOfFiles
  }

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
  ///
  /// - Parameters:
  ///   - server: its address.
  ///   - access: what to do where it doesn't let it in.
  func told(by server: String, access: String) -> String {
    switch self {
    case .unreachable:
      "\(server) can't be reached; what is to be sent waits. Check the network, and sync again"
    case .inTrouble(let status):
      "\(server) is in trouble (\(status)); what is to be sent waits. Sync again later"
    case .unreadable(let why):
      "what \(server) answers can't be understood: \(why). Nothing was changed by it;"
        + " check that the server of 'init' is there"
    case .unexpected(let status):
      "\(server) answers what no such server does (\(status)); what is to be sent waits."
        + " Check that the server of 'init' is there"
    case .readOnly:
      "\(server) takes no changes for now; what is to be sent waits. Sync again later"
    case .collection(let name, let status, let words):
      "the collection \(name) can't be used (\(status))"
        + (words.isEmpty ? "" : ": \(Self.withoutStop(words.escaped))")
        + "; its documents are kept. Check that it is there and the account may use it"
    case .unauthorized: access
    case .mustWait(let until):
      "the server is left alone until \(Self.time(until)), as it was in trouble or asked for it;"
        + " what is to be sent waits. Sync then, or with --now"
    case .impossible: "\(self)"
    }
  }

  /// The server's words, for a place before a semicolon.
  private static func withoutStop(_ words: String) -> String {
    words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  private static func time(_ date: Date) -> String {
    Moments.text(date) ?? "an unknown time"
  }
}

import Console
import DocumentSync

/// How a store, or a document, stands.
enum StatusText {
  static func lines(
    _ summary: StoreSummary, _ open: WaitingDocuments, _ setup: StoreSetup
  ) -> [String] {
    let counts = summary.counts
    let parts = [
      (counts.hidden, "hidden, as the server doesn't let them be read"),
      (counts.lost, "changes gave way; 'documents lost' lists them"),
    ]
    let files = [
      (summary.files.up, "to be sent"), (summary.files.down, "to be fetched"),
      (summary.files.refused, "that the server refused; try 'documents sync --retry'"),
      (summary.files.removing, "to be removed at the server"),
      (summary.files.unremoved, "that the server doesn't remove; try 'documents sync --retry'"),
    ]
    return [
      Amounts.count(counts.documents, "document"),
      outbox(counts),
    ] + open.lines(counts) + open.failed
      + parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      + summary.heldBack.map { HeldBackText.line($0, canRepublish: setup.canRepublish) }
      + files.filter { $0.0 > 0 }.map { "\(Amounts.count($0.0, "file")) \($0.1)" }
      + open.fileTroubles + summary.filtered.map(line)
      + [last(summary.lastSync)]
  }

  /// What isn't at the server; of what somebody is to decide or to edit, a line of its own tells.
  private static func outbox(_ counts: StoreCounts) -> String {
    guard counts.outbox > 0 else { return "nothing waits to be sent" }
    let since = counts.oldest.map { ", the oldest for \(Amounts.time(age(of: $0)))" } ?? ""
    let others = counts.setAside + counts.parked
    guard others > 0 else { return "\(counts.outbox) to be sent\(since)" }
    let waiting = max(0, counts.outbox - others)
    return "\(counts.outbox) not sent yet\(since); \(waiting == 0 ? "none" : "\(waiting)") of them"
      + " \(waiting == 1 ? "waits" : "wait") for a sync"
  }

  static func json(_ summary: StoreSummary, _ setup: StoreSetup) -> String {
    let counts = summary.counts
    return JSONMembers.text { object in
      object.add("server", setup.scopeName)
      object.add("account", orNull: setup.account.isEmpty ? nil : setup.account)
      object.array("types") { list in
        for kind in setup.kinds {
          list.object { object in
            object.add("type", kind.name)
            object.add("collection", kind.collection)
          }
        }
      }
      object.add("documents", counts.documents)
      object.add("outbox", counts.outbox)
      object.add("setAside", counts.setAside)
      object.add("conflicts", counts.conflicts)
      object.add("hidden", counts.hidden)
      object.add("oldest", orNull: counts.oldest.flatMap { Moments.text($0) })
      object.add("lost", counts.lost)
      object.object("files") { files in
        files.add("up", summary.files.up)
        files.add("down", summary.files.down)
        files.add("refused", summary.files.refused)
        files.add("removing", summary.files.removing)
        files.add("unremoved", summary.files.unremoved)
      }
      object.array("filters") { list in
        for part in summary.filtered {
          list.object { object in
            object.add("collection", part.collection)
            object.add("filter", orNull: part.filter.map { "\($0)" })
            object.add("listed", orNull: part.listed.flatMap { Moments.text($0) })
          }
        }
      }
      object.add("heldBack", summary.heldBack.reduce(0) { $0 + $1.count })
      object.add("lastSync", orNull: summary.lastSync.flatMap { Moments.text($0.ended) })
    }
  }

  static func json(
    _ id: DocumentID, _ type: String?, _ status: DocumentStatus, _ files: [FileTrouble]
  ) -> String {
    JSONMembers.text { write(id, type, status, files, to: &$0) }
  }

  /// - Parameter status: `nil` where the document is gone.
  static func write(
    _ id: DocumentID, _ type: String?, _ status: DocumentStatus?, _ files: [FileTrouble],
    to object: inout JSONMembers
  ) {
    object.add("id", id.text)
    object.add("type", orNull: type)
    object.add("state", status?.state.rawValue ?? "gone")
    object.add("problem", status?.problem?.rawValue ?? "none")
    object.add("pending", status?.isPending ?? false)
    object.add("version", orNull: status?.version?.text)
    object.add("reason", orNull: status?.sentence.map(Declarations.asOptions))
    object.array("files") { list in
      for file in files {
        list.object { object in
          object.add("name", file.name)
          object.add("problem", file.kind.rawValue)
          object.add("words", file.words)
        }
      }
    }
  }

  private static func line(_ part: FilteredCollection) -> String {
    let filter = part.filter.map { "\($0)".escaped } ?? "a filter that this program doesn't know"
    let listed = part.listed.flatMap { Moments.text($0) }
    return "of \(part.collection.escaped) only \(filter); what has left that "
      + (listed.map { "was looked for \($0)" } ?? "is looked for by the next sync")
  }

  private static func last(_ run: SyncRun?) -> String {
    guard let run else { return "never synced" }
    let when = Moments.text(run.ended) ?? "at an unknown time"
    return "last synced \(when)" + (run.problem.map { ", which failed: \($0)" } ?? "")
  }

  /// By a clock that was put back since, no time has passed.
  private static func age(of date: Date) -> Duration {
    max(.zero, .seconds(Date().timeIntervalSince(date)))
  }
}

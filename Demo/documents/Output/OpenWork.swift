import DocumentSync

/// What isn't in step between a store and its server.
struct OpenWork: Sendable {
  /// How many there are of each kind, and what they are.
  private let counted: [(count: Int, what: String)]
  /// How many documents the server has no more, of which none was removed here.
  let heldBack: Int
  /// How many the server has that couldn't be stored here.
  let unstored: Int

  init(_ summary: StoreSummary, unstored: Int) {
    let (counts, files) = (summary.counts, summary.files)
    heldBack = summary.heldBack.reduce(0) { $0 + $1.count }
    self.unstored = unstored
    // Somebody decides about the others: they don't wait for a sync.
    let waiting = max(0, counts.outbox - counts.setAside - counts.parked)
    counted = [
      (waiting, waiting == 1 ? "waits to be sent" : "wait to be sent"),
      (counts.conflicts, "in conflict"), (counts.setAside, "set aside"),
      (unstored, "not stored here"), (heldBack, "held back"), (counts.hidden, "hidden"),
      (files.up, files.up == 1 ? "file to be sent" : "files to be sent"),
      (files.down, files.down == 1 ? "file to be fetched" : "files to be fetched"),
      (files.removing, files.removing == 1 ? "file to be removed" : "files to be removed"),
      (files.refused + files.unremoved, "of files set aside"),
    ].filter { $0.0 > 0 }
  }

  /// What there is, and how it's seen; `nil` if all is in step.
  var sentence: String? {
    guard !counted.isEmpty else { return nil }
    let list = counted.map { "\($0.count) \($0.what)" }.joined(separator: ", ")
    return "not in step: \(list); 'documents status' shows them"
  }
}

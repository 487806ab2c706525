import DocumentSync

/// What isn't in step between a store and its server.
struct OpenWork: Sendable {
  /// How many there are of each kind, and what they are.
  private var counted: [(count: Int, what: String)] = []
  /// How many documents the server has no more, of which none was removed here.
  private(set) var heldBack = 0
  /// How many the server has that couldn't be stored here.
  private(set) var unstored = 0

  init() {}

  init(_ reader: StoreReader) throws {
    let (counts, files) = (try reader.counts(), try reader.fileCounts())
    heldBack = try reader.heldBack().reduce(0) { $0 + $1.count }
    unstored = try reader.failures().count
    // Somebody decides about these: they don't wait for a sync.
    let aside = Set(try reader.open(.setAside, limit: .max).map(\.id))
    let parked = try reader.open(.conflict, limit: .max).filter {
      try !aside.contains($0.id) && reader.status(of: $0.id)?.isPending ?? false
    }
    let waiting = max(0, counts.outbox - counts.setAside - parked.count)
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

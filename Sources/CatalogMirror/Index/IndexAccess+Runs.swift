private import SyncDatabase
package import SyncEngine
package import SyncText

/// One run, as a person is told of it later.
package struct RunRecord: Equatable, Sendable {
  package var startedNanoseconds: Int64
  package var endedNanoseconds: Int64
  package var ending: RunEnding
  package var counts = PassCounts()
  /// How many of those that were updated had been there already, and were adopted.
  package var adopted = 0
  package var bytes: Int64 = 0
  /// How many files were made of others that were here, and of how many bytes.
  package var copied = 0
  package var copiedBytes: Int64 = 0
  /// How many files came in packs, and with how many requests.
  package var packed = 0
  package var packRequests = 0
  /// The address of what was synced, without user-info or other secrets.
  package var catalog: String
  /// What went wrong, for people; `nil` when nothing did.
  package var error: String?

  package init(
    startedNanoseconds: Int64, endedNanoseconds: Int64, ending: RunEnding, catalog: String
  ) {
    self.startedNanoseconds = startedNanoseconds
    self.endedNanoseconds = endedNanoseconds
    self.ending = ending
    self.catalog = catalog
  }
}

/// How a run ended. The raw values are stored, and never change.
package enum RunEnding: String, Sendable, CaseIterable {
  case succeeded
  case someFailed
  case failed
  /// Too much would have been removed, so that nothing was.
  case removalRefused
  case cancelled
  /// Its own limit of time ended it.
  case outOfTime
}

extension IndexAccess {
  package func recentRuns(limit: Int) throws -> [RunRecord] {
    let further = try FurtherCounts(in: self)
    return try connection.rows(
      "SELECT * FROM runs ORDER BY id DESC LIMIT ?1", max(limit, 0)
    ) { row in
      guard let ending = RunEnding(rawValue: try row.text("outcome")) else {
        throw row.wrongType("outcome", "not an outcome")
      }
      let (started, ended) = (try row.integer("started"), try row.integer("ended"))
      guard !ended.subtractingReportingOverflow(started).overflow else {
        throw row.wrongType("ended", "centuries from when it started")
      }
      var run = RunRecord(
        startedNanoseconds: started, endedNanoseconds: ended, ending: ending,
        catalog: try row.text("catalog"))
      run.counts.listed = Int(try row.amount("listed"))
      run.counts.removed = Int(try row.amount("removed"))
      run.counts.updated = Int(try row.amount("updated"))
      run.counts.downloaded = Int(try row.amount("downloaded"))
      run.counts.skipped = Int(try row.amount("skipped"))
      run.counts.failed = Int(try row.amount("failed"))
      further.tell(&run)
      run.bytes = try row.amount("bytes")
      run.copied = Int(try row.amount("copied"))
      run.copiedBytes = try row.amount("copied_bytes")
      run.error = try row.optionalText("error")
      return run
    }
  }
}

extension IndexWriter {
  /// Records a run that has ended. The last 1,000 are kept.
  package func recordRun(_ run: RunRecord) throws {
    let counts = run.counts
    try connection.run(
      """
      INSERT INTO runs (
        started, ended, outcome, catalog, listed, removed, updated, downloaded, skipped, failed,
        bytes, error, copied, copied_bytes)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """,
      run.startedNanoseconds, run.endedNanoseconds, run.ending.rawValue, run.catalog,
      counts.listed, counts.removed, counts.updated, counts.downloaded, counts.skipped,
      counts.failed, run.bytes, run.error, run.copied, run.copiedBytes)
    try connection.run("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - 1000")
    guard run.adopted > 0 || run.packed > 0 else { return }
    var further = try FurtherCounts(in: self)
    further.add(run)
    try setValue(further.text, for: .adoptionCounts)
  }
}

/// How many files each of the newest runs adopted, and how many came in packs, of those that did
/// either.
///
/// A value of its own and no columns of the runs: `status` and `verify`, which may change nothing,
/// couldn't read an index any more that an earlier version left.
private struct FurtherCounts {
  private struct Line {
    var started: Int64
    var adopted: Int
    var packed = 0
    var packRequests = 0

    /// `nil` for what is no such line; earlier versions know nothing of packs.
    init?(_ text: Substring) {
      let numbers = text.split(separator: " ").compactMap { Int64($0) }
      let counts = numbers.dropFirst().compactMap(Int.init(exactly:)).map { max($0, 0) }
      guard [1, 3].contains(counts.count), numbers.count == counts.count + 1 else { return nil }
      (started, adopted) = (numbers[0], counts[0])
      if counts.count == 3 { (packed, packRequests) = (counts[1], counts[2]) }
    }

    init(_ run: RunRecord) {
      (started, adopted) = (run.startedNanoseconds, run.adopted)
      (packed, packRequests) = (run.packed, run.packRequests)
    }

    var text: String {
      "\(started) \(adopted)" + (packed > 0 ? " \(packed) \(packRequests)" : "")
    }
  }

  private static let most = 50
  /// The newest first.
  private var lines: [Line]

  init(in index: some IndexAccess) throws {
    lines = (try index.value(.adoptionCounts) ?? "").split(separator: "\n").compactMap { Line($0) }
  }

  /// A line each: when the run began, in nanoseconds since 1970, how many it adopted, and, where
  /// there are any, how many came in packs with how many requests.
  var text: String { lines.map(\.text).joined(separator: "\n") }

  /// Takes over into a run what is known of it.
  func tell(_ run: inout RunRecord) {
    guard let line = lines.first(where: { $0.started == run.startedNanoseconds }) else { return }
    run.adopted = min(line.adopted, run.counts.updated)
    (run.packed, run.packRequests) = (line.packed, line.packRequests)
  }

  mutating func add(_ run: RunRecord) {
    lines.insert(Line(run), at: 0)
    lines = Array(lines.prefix(Self.most))
  }
}

extension Row {
  /// A whole number that isn't negative: a row of runs bears no checksum, and people reckon with
  /// what it says.
  fileprivate func amount(_ column: Column) throws -> Int64 {
    let amount = try integer(column)
    guard amount >= 0 else { throw wrongType(column, "a negative amount") }
    return amount
  }
}

/// An item that failed in the last run, to be tried first in the next one.
package struct FailedItem: Hashable, Sendable {
  package var key: ByteString
  package var sentence: String

  package init(key: ByteString, sentence: String) {
    self.key = key
    self.sentence = sentence
  }
}

extension IndexAccess {
  /// What failed in the last run, in the order in which it happened.
  package func failures() throws -> [FailedItem] {
    try connection.rows("SELECT key, sentence FROM failures ORDER BY position") { row in
      FailedItem(key: try row.byteString("key"), sentence: try row.text("sentence"))
    }
  }

  package func failureCount() throws -> Int {
    try connection.row("SELECT count(*) AS count FROM failures") { row in
      Int(try row.integer("count"))
    } ?? 0
  }
}

extension IndexWriter {
  /// Replaces the failures by those of the run that ends. Of two for one key the first counts.
  package func replaceFailures(_ failures: some Sequence<FailedItem>) throws {
    try connection.run("DELETE FROM failures")
    for failure in failures {
      try connection.run(
        "INSERT OR IGNORE INTO failures (key, sentence) VALUES (?1, ?2)",
        failure.key, failure.sentence)
    }
  }
}

/// What the index holds, in numbers, for `status`.
package struct IndexCounts: Hashable, Sendable {
  /// Items known, held or not.
  package var items = 0
  package var contents = 0
  package var contentBytes: Int64 = 0
  package var previews = 0
  package var previewBytes: Int64 = 0
  /// Items whose removal has begun and not ended.
  package var removing = 0
  package var quarantined = 0
  package var quarantinedBytes: Int64 = 0
  package var failures = 0

  package init() {}
}

extension IndexAccess {
  package func counts() throws -> IndexCounts {
    var counts = IndexCounts()
    try connection.query(ItemTable.sums) { row in
      counts.items = Int(try row.integer("items"))
      counts.contents = Int(try row.integer("contents"))
      counts.contentBytes = try row.integer("content_bytes")
      counts.previews = Int(try row.integer("previews"))
      counts.previewBytes = try row.integer("preview_bytes")
      counts.removing = Int(try row.integer("removing"))
    }
    (counts.quarantined, counts.quarantinedBytes) = try quarantineSums()
    counts.failures = try failureCount()
    return counts
  }

  /// Reads all that the index keeps besides the items, as `status` and the other looks do.
  ///
  /// A run needs little of it, and would pass over damage in the rest for good; a look, which may
  /// change nothing, would find it each time and send the user to a run. So each run reads all of
  /// it before it does anything. It is little: 1,000 runs, the failures of the last one, some
  /// values, and what lies in quarantine. What was announced and not finished, a run reads anyway.
  /// - Throws: `.damaged` where a look would.
  func checkAllButItems() throws {
    try checkValues()
    _ = try failureCount()
    _ = try failures()
    _ = try recentRuns(limit: .max)
    try checkQuarantine()
  }
}

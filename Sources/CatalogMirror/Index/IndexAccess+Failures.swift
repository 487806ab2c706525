private import SyncDatabase
package import SyncText

/// An item that failed in the last run, to be tried first in the next one.
package struct FailedItem: Hashable, Sendable {
  package var key: ByteString
  /// What went wrong, for people.
  package var sentence: String

  /// A failed item from its parts.
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

  /// How many items failed in the last run.
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

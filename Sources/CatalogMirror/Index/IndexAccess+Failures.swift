private import SyncDatabase

/// An item that failed in the last run, to be tried first in the next one.
package struct FailedItem: Hashable, Sendable {
  /// The item.
  package var key: CatalogKey
  /// What went wrong, for people.
  package var sentence: String

  /// A failed item from its parts.
  package init(key: CatalogKey, sentence: String) {
    self.key = key
    self.sentence = sentence
  }
}

extension IndexAccess {
  /// What failed in the last run, in the order in which it happened.
  package func failures() throws -> [FailedItem] {
    try connection.rows("SELECT key, sentence FROM failures ORDER BY position") { row in
      FailedItem(key: try row.key(0), sentence: try row.text(1))
    }
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

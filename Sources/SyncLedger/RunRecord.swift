/// One run, as a person is told of it later.
package struct RunRecord: Equatable, Sendable {
  /// When it began, in nanoseconds since 1970.
  package var startedNanoseconds: Int64
  /// When it ended, in nanoseconds since 1970.
  package var endedNanoseconds: Int64
  package var ending: RunEnding
  /// What was done, in numbers of items.
  package var counts = Counts()
  package var bytes: Int64 = 0
  /// The address of what was synced, without user-info or other secrets.
  package var catalog: String
  /// What went wrong, for people; `nil` when nothing did.
  package var error: String?

  /// Numbers of items.
  package struct Counts: Equatable, Sendable {
    package var listed = 0
    package var removed = 0
    /// Items that were there and were chosen to be fetched again.
    package var updated = 0
    /// Items that were fetched.
    package var downloaded = 0
    /// Items that were to be fetched and weren't tried to the end.
    package var skipped = 0
    package var failed = 0

    package init() {}
  }

  /// A run in which nothing was done.
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
  /// Everything was done.
  case succeeded
  /// Some items failed, the others are done.
  case someFailed
  /// The run failed as a whole.
  case failed
  /// Too much would have been removed, so that nothing was.
  case removalRefused
  case cancelled
  /// Its own limit of time ended it.
  case outOfTime
}

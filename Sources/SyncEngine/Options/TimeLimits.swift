/// How long parts of a pass may take. What takes longer is cancelled, waited for, and fails with
/// ``TimedOut``; a call that returns all the same has succeeded.
///
/// A call that hasn't returned by twice its limit is *stuck*, as it can be ended by nobody else:
/// everybody who waits is told ``SyncError/Code/stuck(stage:key:)``, and so is, at once, whoever
/// calls before it returns. Until then ``SyncStatus/stuckStage`` names its stage, no pass begins,
/// and ``Synchronizer/requestSync()`` is kept for later. When it returns, its pass goes on as ever.
public struct TimeLimits: Sendable, Equatable {
  /// For each call of a stage, but for the downloads, `commitDownloads` and `syncDidEnd`, which are
  /// never cut short. It doesn't count for `watchDownloads`, which may wait for as long as it
  /// likes, and for questions that are to be answered at once: `endsPass`, `isCancellation`,
  /// `commitsEachDownload`. Default `nil`: none.
  public var stage: Duration?
  /// For each attempt of a download. Default `nil`: none.
  public var download: Duration?

  /// Limits; none unless given.
  public init(stage: Duration? = nil, download: Duration? = nil) {
    self.stage = stage
    self.download = download
  }
}

/// A call of a processor took longer than ``SyncOptions/timeLimits`` allow.
public struct TimedOut: Error, Equatable, CustomStringConvertible {
  /// How long it might have taken.
  public var limit: Duration

  /// An error made by hand, for tests of your own code.
  public init(limit: Duration) {
    self.limit = limit
  }

  /// One sentence: what happened, and what to do.
  public var description: String { "\(sentence)" }

  /// What it says.
  package var sentence: SyncSentence { .timedOut(limit: limit) }
}

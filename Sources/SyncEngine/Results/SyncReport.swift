/// What was done: passes in order.
///
/// The report that a call gets begins with its own first pass: what was done, and what failed, in
/// passes that had begun before the call isn't in it. The report of
/// ``SyncEvent/runEnded(number:_:)``, and what a status says of a run, is of the whole run.
public struct SyncReport<ID: Hashable & Sendable>: Sendable {
  /// The passes. A call gets one, or, from a synchronizer that runs until it is quiet, one or more;
  /// none in the error of a call that was cancelled or refused before its own pass began. Of a run
  /// that goes on and on, at least the newest 1,000.
  public var passes: [PassReport<ID>]

  /// So many of the newest passes are always kept.
  static var passLimit: Int { 1_000 }

  /// A report made by hand, for tests of your own code.
  public init(passes: [PassReport<ID>] = []) {
    self.passes = passes
  }

  /// Whether every listed item is held after the last pass, see ``PassReport/isComplete``.
  public var isComplete: Bool? { passes.last?.isComplete ?? nil }

  /// What all passes did together, but for ``PassCounts/listed``, which is the last pass's.
  public var counts: PassCounts {
    var sum = PassCounts()
    for pass in passes {
      sum.listed = pass.counts.listed
      sum.removed += pass.counts.removed
      sum.updated += pass.counts.updated
      sum.downloaded += pass.counts.downloaded
      sum.skipped += pass.counts.skipped
      sum.failed += pass.counts.failed
    }
    return sum
  }

  /// What failed in all passes, in the order in which it happened.
  public var failures: [SyncFailure<ID>] { passes.flatMap(\.failures) }
}

/// A sync that didn't succeed. The report says what was done all the same.
public struct SyncError<ID: Hashable & Sendable>: Error, Sendable {
  /// What kind of end it was.
  public var code: Code
  /// The passes, with their failures.
  public var report: SyncReport<ID>

  /// What kind of end it was.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Code: Sendable, Equatable {
    /// A stage or an item failed in the last pass.
    case failed
    /// The run was cancelled, or drained, before everything was done.
    case cancelled
    /// `count` of `of` local items would have been removed, which is over the limit. Which ones
    /// says ``SyncError/refusedRemovals``.
    case removalRefused(count: Int, of: Int)
    /// A processor awaited the run that it is part of. Nothing was begun.
    case reentrant
    /// ``Synchronizer/ensure(_:)`` was asked for a key that the list doesn't name; and if the list
    /// isn't complete, it isn't held either.
    case notListed(ID)
    /// ``Synchronizer/ensure(_:)`` was asked for a key that this pass doesn't download: its
    /// processor's `prepareDownload` left it out, its source says that nothing changed though the
    /// item isn't held, or neither previews nor contents are asked for.
    case leftOut(ID)
    /// A call of the processor hasn't returned by twice its time limit, see ``TimeLimits``: one of
    /// this stage and, if it is a download, of the item with this key. Nothing new begins before it
    /// returns.
    case stuck(stage: SyncStage, key: ID?)
  }

  /// The keys that would have been removed, where that was refused. Once somebody has seen that
  /// they are to go, ``Synchronizer/sync(allowing:)`` lets exactly these go.
  public var refusedRemovals: Set<ID> { report.passes.last?.refusedRemovals ?? [] }

  /// Which call was refused as ``Code/reentrant``; `nil` in an error made by hand.
  var refused: SyncSentence.Call?

  /// An error made by hand, for tests of your own code.
  public init(code: Code, report: SyncReport<ID>) {
    self.code = code
    self.report = report
  }

  /// A call that would wait for itself.
  init(refusing call: SyncSentence.Call) {
    self.init(code: .reentrant, report: SyncReport())
    refused = call
  }
}

extension SyncError: CustomStringConvertible {
  /// What happened and what to do, for a log: causes as their types describe themselves. For
  /// people there is `localizedDescription`.
  public var description: String { "\(sentence { "\($0)" })" }
}

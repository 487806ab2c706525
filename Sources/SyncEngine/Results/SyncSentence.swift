import SyncLock

/// A sentence of the engine for people, or a part of one, with what it is about: what an app
/// translates.
///
/// Errors have these sentences in their `localizedDescription`, and a status in
/// ``SyncStatus/RunResult/message``. They are in English unless ``translation`` has others; on
/// Apple's systems Xcode extracts those of an app, with their plurals:
///
/// ```swift
/// SyncSentence.translation = { sentence in
///   switch sentence {
///   case .stage(.downloadContents): String(localized: "Downloading")
///   case .failure(let stage, let key?, let cause):
///     String(localized: "\(stage) failed for \(key): \(cause)")
///   case .failed(let first?, 0): String(localized: "The sync failed: \(first)")
///   case .failed(let first?, let more):
///     String(localized: "The sync failed: \(first) There were \(more) more failures.")
///   case .incomplete: String(localized: "Some items are still missing.")
///   default: nil
///   }
/// }
/// ```
///
/// With `@unknown default` in place of `default` and all cases above it, the compiler names the
/// sentences that a later version adds. What an error *is*, code, stage and key, needs no
/// translation, and its `description`, for logs, is always in English.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum SyncSentence: Sendable, Equatable {
  /// The words of a stage, with which ``failure(stage:key:cause:)`` begins.
  case stage(SyncStage)
  /// A stage failed, here in the words of ``stage(_:)``, as a whole or with one item. `cause` is
  /// the sentence of what was thrown, with a full stop.
  case failure(stage: String, key: String?, cause: String)
  /// A run failed. `first` is the sentence of the first failure of its last pass, with a full stop,
  /// `nil` where none is known; `more` counts the others.
  case failed(first: String?, more: Int)
  /// ``SyncError/Code/cancelled``
  case cancelled
  /// ``SyncError/Code/removalRefused(count:of:)``
  case removalRefused(count: Int, of: Int)
  /// ``SyncError/Code/reentrant``, with the call that was refused; `nil` where it isn't known.
  case reentrant(Call?)
  /// ``SyncError/Code/notListed(_:)``
  case notListed(key: String)
  /// ``SyncError/Code/leftOut(_:)``
  case leftOut(key: String)
  /// ``SyncError/Code/stuck(stage:key:)``
  case stuck(stage: SyncStage, key: String?)
  /// A run succeeded, and not every listed item is held; see ``SyncReport/isComplete``.
  case incomplete
  /// As a cause: a list that can't be right, its keys as strings.
  case list(ListProblem<String>)
  /// As a cause: ``TimedOut``
  case timedOut(limit: Duration)
  /// As a cause: a `CancellationError` that no cancelled run accounts for.
  case callCancelled
  /// As a cause: the processor has neither form of `downloadContent`.
  case downloadContentMissing
  /// As a cause: the processor has neither `shouldUpdate` nor `itemsToUpdate`.
  case shouldUpdateMissing

  /// A call that waits, and that a processor can't make of the synchronizer that is calling it.
  public enum Call: String, Sendable {
    /// ``Synchronizer/sync()``
    case sync = "sync()"
    /// ``Synchronizer/plan()``
    case plan = "plan()"
    /// ``Synchronizer/ensure(_:)``
    case ensure = "ensure(_:)"
    /// ``Synchronizer/drain()``
    case drain = "drain()"
  }

  /// A sentence in the language of those who read it; `nil` leaves it in English.
  public typealias Translation = @Sendable (SyncSentence) -> String?

  private static let table = Locked<Translation?>(nil)

  /// What says the sentences, of all synchronizers of this process: an error has no synchronizer to
  /// ask. Default `nil`: all are in English.
  ///
  /// Set it once, before the first sync; it may be set from any thread. It is called from any
  /// thread, whenever a sentence is asked for and when a run ends, and must not wait. The sentence
  /// in a status is the one of its time.
  public static var translation: Translation? {
    get { table.withLock { $0 } }
    set {
      // What the old one holds is let go of when the lock is free.
      _ = table.withLock { table in
        defer { table = newValue }
        return table
      }
    }
  }

  /// What people are shown.
  package var localized: String {
    guard let translation = Self.translation else { return description }
    HeldLocks.assertNone()
    return translation(self) ?? description
  }
}

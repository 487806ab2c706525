/// What every synchronizer can do, whatever its items are: for an app that holds several of them,
/// stands another in for one in its tests, or doesn't want its views to know the processor.
///
/// ```swift
/// let all: [any Syncing] = [notes, pictures]
/// for one in all { one.requestSync() }
/// ```
public protocol Syncing: AnyObject, Sendable {
  /// What ``sync()`` gives: a ``SyncReport``, or whatever a stand-in likes.
  associatedtype Report: Sendable

  /// Runs a pass and waits for its end, see ``Synchronizer/sync()``.
  @discardableResult
  func sync() async throws -> Report

  /// Asks for a pass soon, see ``Synchronizer/requestSync()``.
  func requestSync()

  /// Cancels the run under way, see ``Synchronizer/cancel()``.
  func cancel()

  /// Whether a run is under way.
  var isSyncing: Bool { get }

  /// How it stands, first now and then after each change, see ``Synchronizer/status``.
  var status: AsyncStream<SyncStatus> { get }
}

/// A synchronizer whose runs can be told apart, for who follows one of them.
package protocol NumberedRuns: AnyObject, Sendable {
  /// The number of the run under way, or else of the next one.
  var presentRun: Int { get }

  /// Cancels the run with this number and no other. The next one is cancelled as it begins; one
  /// that has ended stays as it is.
  func cancel(run number: Int)
}

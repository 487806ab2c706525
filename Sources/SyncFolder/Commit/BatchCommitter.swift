import SyncLock
package import SyncFiles
package import SyncText

/// Brings checked files from the staging area into the tree, many at a time and in the background.
///
/// The write protocol itself stands in ``BatchCommit``. Use one committer a pass.
package final class BatchCommitter<Payload: Sendable>: Sendable {
  private let commit: BatchCommit<Payload>
  private let queue: any DiskQueue
  private let onFatal: @Sendable (any Error) -> Void
  private let state = Locked(State())

  private struct State {
    var window = BatchWindow<Placement<Payload>>()
    var failures: [PlacementFailure<Payload>] = []
    var fatal: (any Error)?
  }

  /// A committer for one pass.
  ///
  /// `startedAt` (seconds since 1970) names the batch in the quarantine and among the displaced
  /// files. On `queue`, `owner` is asked whose a file is that stands where a directory has to be,
  /// or in a directory that stands where a file has to be: one that is ours is moved to the
  /// quarantine right after the answer, so it is marked before it. `announce` gets what is about to
  /// be placed, once its bytes are on the disk; what it throws fails the batch. `record` gets what
  /// was placed when it is on the disk; it may not be recorded before. What it throws fails its
  /// files, which stay in the tree whole and unrecorded. `endsPass` says after which errors nothing
  /// more can be placed, and `onFatal` is told of the first.
  package init(
    _ staging: Staging, startedAt: Double, queue: any DiskQueue,
    owner: @escaping @Sendable (ByteString) throws -> Ownership = { _ in .foreign },
    endsPass: @escaping @Sendable (any Error) -> Bool = { ($0 as? FolderError)?.isFatal ?? false },
    onFatal: @escaping @Sendable (any Error) -> Void = { _ in },
    announce: @escaping @Sendable ([Placement<Payload>]) throws -> Void = { _ in },
    record: @escaping @Sendable ([Placed<Payload>]) throws -> Void
  ) {
    self.onFatal = onFatal
    self.queue = queue
    commit = BatchCommit(
      staging: staging, name: UTCStamp.text(startedAt), endsPass: endsPass,
      owner: owner, announce: announce, record: record)
  }

  /// Why nothing more can be placed; the pass should stop. Every file that is added from then on
  /// fails with it.
  package var fatal: (any Error)? { state.withLock { $0.fatal } }

  /// Takes a file over and returns at once. It is placed when its batch is full, or 2 s old, or
  /// drained; a large file is placed on its own.
  package func add(_ placement: Placement<Payload>) {
    perform(state.withLock { $0.window.added(placement, bytes: placement.staged.size) })
  }

  /// Closes the open batch: nothing more of its kind is coming, and what is there needn't wait.
  package func closeBatch() {
    perform(state.withLock { $0.window.drained() })
  }

  /// Waits until everything that was added before is placed or has failed, and hands over what
  /// failed since the last time.
  package func drain() async -> [PlacementFailure<Payload>] {
    closeBatch()
    return await withCheckedContinuation { continuation in
      queue.enqueue { [state] in
        let failures = state.withLock { state in
          defer { state.failures = [] }
          return state.failures
        }
        continuation.resume(returning: failures)
      }
    }
  }

  private func perform(_ actions: [BatchWindow<Placement<Payload>>.Action]) {
    for action in actions {
      switch action {
      case .setTimer(let number):
        // It keeps the committer alive, for what was added must not be forgotten.
        queue.enqueue(after: BatchLimits.age) { self.timerFired(number) }
      case .flush(let batch):
        queue.enqueue { self.flush(batch) }
      }
    }
  }

  /// On the queue already, and flushed right here: enqueued once more, the batch would come after
  /// a drain that no longer finds it in the window and takes it for done.
  private func timerFired(_ number: Int) {
    for action in state.withLock({ $0.window.timerFired(number: number) }) {
      if case .flush(let batch) = action { flush(batch) }
    }
  }

  private func flush(_ batch: [Placement<Payload>]) {
    let failures = commit.run(batch, after: fatal)
    let fatal = failures.lazy.map(\.error).first(where: commit.endsPass)
    state.withLock { state in
      state.failures += failures
      state.fatal = state.fatal ?? fatal
    }
    if let fatal { onFatal(fatal) }
  }
}

package import SyncFiles
import SyncLock
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

/// Decides which files are flushed together, and when.
///
/// Either no batch is open (`open` is empty), or one is, its timer is set, and it is closed by
/// whichever comes first: a limit, its timer, a drain.
struct BatchWindow<Element> {
  private(set) var open: [Element] = []
  private(set) var bytes: Int64 = 0
  /// How many batches were opened before; tells a late timer from the current one.
  private(set) var number = 0

  enum Action {
    /// Tell ``timerFired(number:)`` after ``BatchLimits/age``.
    case setTimer(number: Int)
    case flush([Element])
  }

  mutating func added(_ element: Element, bytes count: Int64) -> [Action] {
    if count >= BatchLimits.large { return [.flush([element])] }
    open.append(element)
    bytes += count
    if open.count >= BatchLimits.files || bytes >= BatchLimits.bytes { return close() }
    return open.count == 1 ? [.setTimer(number: number)] : []
  }

  /// A batch has been open for ``BatchLimits/age``. Late timers of closed batches are expected.
  mutating func timerFired(number fired: Int) -> [Action] {
    fired == number ? close() : []
  }

  mutating func drained() -> [Action] {
    close()
  }

  private mutating func close() -> [Action] {
    guard !open.isEmpty else { return [] }
    let batch = open
    open = []
    bytes = 0
    number += 1
    return [.flush(batch)]
  }
}

extension BatchWindow: Equatable where Element: Equatable {}
extension BatchWindow.Action: Equatable where Element: Equatable {}
extension BatchWindow: Sendable where Element: Sendable {}
extension BatchWindow.Action: Sendable where Element: Sendable {}

/// A checked file in the staging area and where it has to go.
package struct Placement<Payload: Sendable>: Sendable {
  package let staged: Staged
  package let destination: Destination
  /// What we believe to be there now.
  package let expectation: Expectation
  /// The caller's own, handed back with the result.
  package let payload: Payload

  package init(
    staged: Staged, destination: Destination, expectation: Expectation, payload: Payload
  ) {
    self.staged = staged
    self.destination = destination
    self.expectation = expectation
    self.payload = payload
  }
}

package enum Destination: Sendable {
  case item(RelativePath)
  /// Into `.mirror/previews/`, under a name of letters, digits, `-`, `_` and `.`; what is there is
  /// replaced.
  case preview(name: String)

  /// For messages; a preview's name is checked only where it is used.
  var description: String {
    switch self {
    case .item(let path): BeneathPath(path).description
    case .preview(let name): BeneathPath.previews.appending(name).description
    }
  }
}

/// What we believe to stand where a file goes. What stands there and isn't this is somebody's: it
/// is adopted when its bytes are those of the staged file, and displaced otherwise.
package enum Expectation: Hashable, Sendable {
  case nothing
  /// The file that we put there, in the state that we left it in: it is replaced.
  case ours(FileStamp)
}

/// A file that is in its place, durably.
package struct Placed<Payload: Sendable>: Sendable {
  package let payload: Payload
  package let destination: Destination
  /// The state of the file that is there: the staged one, or the adopted one.
  package let stamp: FileStamp
  /// Whether a file that was there already is kept, since its bytes are the same.
  package let adopted: Bool
  /// What had to be moved out of its way.
  package let movedAway: [MovedAway]
}

package struct PlacementFailure<Payload: Sendable>: Sendable {
  package let payload: Payload
  /// A ``FolderError``, or what the caller's closures threw.
  package let error: any Error
}

import SyncDatabase
import SyncLock
import SyncTransport
import SyncFolder
import SyncFetching

/// Ends a run once something happens after which nothing else can go well either: the disk is full,
/// the folder is gone, the index can't be written.
///
/// The engine tries every item of a mirror, so without this each of a million would fail for the
/// same reason. What is under way is cut, what comes after returns at once and has not failed, and
/// the commit, which still keeps what it can, ends the pass with the one error.
final class RunStop: Sendable {
  private struct State {
    var reason: (any Error)?
    /// What is cancelled when the run ends.
    var underWay: [Int: Cancellable] = [:]
    var lastNumber = 0
  }

  /// A task while it waits for something that is to be cut.
  private struct Cancellable: @unchecked Sendable {  // only ever cancelled, which any thread may do
    let task: UnsafeCurrentTask
  }

  private let state = Locked(State())

  /// Why the run ends; `nil` while it goes on.
  var reason: (any Error)? { state.withLock { $0.reason } }

  /// Ends the run, if `error` is one that ends runs. Only the first one counts.
  func note(_ error: any Error) {
    guard error.endsRun else { return }
    state.withLock { state in
      state.reason = state.reason ?? error
      // Under the lock, since who is in the list is in `cutting` only as long as it is there; in
      // the order in which they came: a dictionary's own differs from run to run.
      for (_, waiting) in state.underWay.sorted(by: { $0.key < $1.key }) { waiting.task.cancel() }
    }
  }

  /// Runs `body`, and cancels the task that it runs in when the run ends: nothing else is left to
  /// do for it then.
  /// - Throws: `CancellationError`, when the run has ended before; what `body` throws.
  func cutting<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withUnsafeCurrentTask { @Sendable task in
      let number = try task.map { try enter(Cancellable(task: $0)) }
      defer { if let number { leave(number) } }
      return try await body()
    }
  }

  private func enter(_ task: Cancellable) throws -> Int {
    try state.withLock { state in
      guard state.reason == nil else { throw CancellationError() }
      state.lastNumber += 1
      state.underWay[state.lastNumber] = task
      return state.lastNumber
    }
  }

  private func leave(_ number: Int) {
    state.withLock { _ = $0.underWay.removeValue(forKey: number) }
  }
}

extension Error {
  /// Whether nothing else in the run can go well either. Without its index, a run can keep nothing.
  var endsRun: Bool {
    switch self {
    case let error as FolderError: error.isFatal
    case is DatabaseError: true
    default: false
    }
  }
}

/// Fetches from another source, and is cut off when the run ends.
struct StoppableSource: ByteSource {
  let source: any ByteSource
  let stop: RunStop

  func fetch(_ request: ByteRequest, into sink: any ByteSink) async throws -> ByteAnswer {
    try await stop.cutting { try await source.fetch(request, into: sink) }
  }
}

import SyncDatabase
import SyncLock
import SyncTransport

/// Ends a run once something happens after which nothing else can go well either: the disk is full,
/// the folder is gone, the index can't be written (M20).
///
/// The engine tries every item of a mirror, so without this each of a million would fail for the
/// same reason. What is under way is cut, what comes after returns at once and has not failed, and
/// the commit, which still keeps what it can, ends the pass with the one error.
final class RunStop: Sendable {
  private let first = Locked<(any Error)?>(nil)
  private let gate = Gate()

  /// Why the run ends; `nil` while it goes on.
  var reason: (any Error)? { first.withLock { $0 } }

  /// Ends the run, if `error` is one that ends runs. Only the first one counts.
  func note(_ error: any Error) {
    guard error.endsRun else { return }
    first.withLock { $0 = $0 ?? error }
    gate.open()
  }

  /// Runs `body`, and cancels it when the run ends.
  /// - Throws: `CancellationError`, when it was cancelled.
  func cutting<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask { [gate] in
        try await gate.wait()
        return nil
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() ?? nil else { throw CancellationError() }
      return value
    }
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
    try await stop.cutting { [source] in try await source.fetch(request, into: sink) }
  }
}

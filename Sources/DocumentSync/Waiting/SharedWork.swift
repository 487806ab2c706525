/// Work that several wait for, and that goes on when one of them leaves.
final class SharedWork<Value: Sendable>: Sendable {
  private let outcome: Watched<Result<Value, any Error>?>
  private let task: Task<Void, Never>

  /// Begins the work.
  ///
  /// In an unstructured task: none of those who wait is its parent, since each may leave while it
  /// goes on for the others.
  init(_ work: @escaping @Sendable () async throws -> Value) {
    let outcome = Watched<Result<Value, any Error>?>(nil)
    self.outcome = outcome
    task = Task {
      let result = await Self.result(of: work)
      outcome.change { $0 = result }
    }
  }

  private static func result(
    of work: @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }

  /// What came of it; throws `CancellationError` at once if the waiting task is cancelled.
  func value() async throws -> Value {
    try await outcome.wait { $0 }.get()
  }

  /// Tells the work that nobody waits any more.
  func cancel() {
    task.cancel()
  }
}

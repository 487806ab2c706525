import SyncLock

extension Timeline {
  /// Runs `body`, and cancels it when it takes longer than `limit`; it is waited for in any case.
  ///
  /// - Throws: what `body` throws, or ``TimedOut`` in place of what it throws after its limit.
  func limiting<Value: Sendable>(
    to limit: Duration?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    let deadline = now + limit
    return try await withThrowingTaskGroup(of: Racer<Value>.self) { group in
      group.addTask {
        do { return .body(.success(try await body())) } catch { return .body(.failure(error)) }
      }
      group.addTask {
        do { try await sleep(until: deadline) } catch { return .clock(isLate: false) }
        return .clock(isLate: true)
      }
      var isLate = false
      while let racer = try await group.next() {
        switch racer {
        case .clock(let wasLate):
          isLate = wasLate
          if isLate { group.cancelAll() }
        case .body(let result):
          group.cancelAll()
          return try result.mapError { isLate ? TimedOut(limit: limit) : $0 }.get()
        }
      }
      preconditionFailure("the body ends before its group is empty")
    }
  }

  /// What ended: the body, or the clock's watch over it.
  private enum Racer<Value: Sendable>: Sendable {
    case body(Result<Value, any Error>)
    case clock(isLate: Bool)
  }
}

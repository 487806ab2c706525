import SyncLock

extension Timeline {
  /// Runs `body`, and cancels it when it takes longer than `limit`; it is waited for in any case.
  ///
  /// - Parameters:
  ///   - executor: What the task that watches a late body prefers to run on.
  ///   - isStuck: Called when the body hasn't returned by twice its limit, however it was
  ///     cancelled; what it answers is called once the body has.
  /// - Throws: what `body` throws, or ``TimedOut`` in place of what it throws after its limit.
  func limiting<Value: Sendable>(
    to limit: Duration, on executor: (any TaskExecutor)?,
    isStuck: @escaping @Sendable () -> @Sendable () -> Void,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let began = now
    return try await withThrowingTaskGroup(of: Racer<Value>.self) { group in
      group.addTask {
        do { return .body(.success(try await body())) } catch { return .body(.failure(error)) }
      }
      group.addTask { .clock(isLate: await reaches(began + limit)) }
      var (isLate, watch): (Bool, Task<(@Sendable () -> Void)?, Never>?) = (false, nil)
      while let racer = try await group.next() {
        switch racer {
        case .clock(let wasLate):
          isLate = wasLate
          if isLate { group.cancelAll() }
          watch = watching(until: began + limit * 2, on: executor, isStuck)
        case .body(let result):
          group.cancelAll()
          watch?.cancel()
          if let hasReturned = await watch?.value { hasReturned() }
          return try result.mapError { isLate ? TimedOut(limit: limit) : $0 }.get()
        }
      }
      preconditionFailure("the body ends before its group is empty")
    }
  }

  /// Watches a body that was cancelled; an unstructured task, since a child would be cancelled with
  /// it. It never outlives the body's call, which ends it and waits for it.
  private func watching(
    until deadline: Duration, on executor: (any TaskExecutor)?,
    _ isStuck: @escaping @Sendable () -> @Sendable () -> Void
  ) -> Task<(@Sendable () -> Void)?, Never> {
    Task(executorPreference: executor) { await reaches(deadline) ? isStuck() : nil }
  }

  /// Waits until then; answers `false`, at once, when the task is cancelled before.
  private func reaches(_ deadline: Duration) async -> Bool {
    do { try await sleep(until: deadline) } catch { return false }
    return true
  }

  /// Returns when `now` has reached `deadline`, if there is one, when `changes` ends, or when the
  /// task is cancelled.
  func sleep(until deadline: Duration?, orUntilEndOf changes: AsyncStream<Never>) async {
    guard let deadline else {
      for await _ in changes {}
      return
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await sleep(until: deadline) }  // it throws only when it is cancelled
      group.addTask { for await _ in changes {} }
      await group.next()
      group.cancelAll()
    }
  }

  /// What ended: the body, or the clock's watch over it.
  private enum Racer<Value: Sendable>: Sendable {
    case body(Result<Value, any Error>)
    case clock(isLate: Bool)
  }
}

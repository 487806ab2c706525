import SyncLock

/// How a call waits for what others bring about.
extension Synchronizer {
  /// Waits as a caller of `call`: `arrive` is given a number and a continuation, keeps it in the
  /// state, and answers what is to be done; `next` is called once it is done.
  ///
  /// - Throws: ``SyncError/Code/reentrant`` when the call would wait for itself.
  func waiting<Answer: Sendable>(
    in call: SyncError<ID>.Call,
    _ arrive:
      @escaping @Sendable (
        RunState.CallerID, CheckedContinuation<Answer, any Error>, inout State
      ) -> [RunState.Action],
    then next: @escaping @Sendable () -> Void = {}
  ) async throws -> Answer {
    let (mark, priority) = (StageMark.current, Task.currentPriority)
    // The mark stands before it is looked at: of two that come to wait for each other at the same
    // time, at least one sees it.
    let id = state.withLock { state in
      let id = state.callers.newID()
      state.callers.marks[id] = mark
      return id
    }
    defer {
      state.withLock { state in
        state.callers.forget(id)
        state.run.callerIsGone(id)
        state.book.forget(id)
      }
    }
    if mark?.wouldWait(for: ObjectIdentifier(self)) == true {
      throw SyncError<ID>(refusing: call)
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        perform(for: priority) { arrive(id, continuation, &$0) }
        next()
      }
    } onCancel: {
      perform { $0.run.callerLeft(id) }
    }
  }

  /// A mark for the next call of a stage.
  func makeMark() -> StageMark {
    StageMark(of: ObjectIdentifier(self)) { [weak self] in
      self.map { Array($0.state.withLock { $0.callers.marks.values }) } ?? []
    }
  }
}

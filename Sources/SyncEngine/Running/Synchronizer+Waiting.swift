import SyncLock
import Synchronization

/// How a call waits for what others bring about.
extension Synchronizer {
  /// Waits as a caller of `call`: `arrive` is given a number and a continuation, keeps it in the
  /// state, and answers what is to be done; `next` is called once it is done.
  ///
  /// - Throws: ``SyncError/Code/reentrant`` when the call would wait for itself.
  func waiting<Answer: Sendable>(
    in call: SyncSentence.Call,
    _ arrive:
      @escaping @Sendable (
        RunState.CallerID, CheckedContinuation<Answer, any Error>, inout State
      ) -> [RunState.Action],
    then next: @escaping @Sendable () -> Void = {}
  ) async throws -> Answer {
    let (mark, priority) = (StageMark.current, Task.currentPriority)
    let id = newNumber()
    if let mark { try register(mark, of: id, in: call) }
    return try await DownloadPlace.lending(mark?.place) {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          var isCancelled = false
          perform(for: priority) { state in
            // Under the lock: a cancellation before this is seen here, one after it finds the
            // caller.
            isCancelled = Task.isCancelled
            if !isCancelled { return arrive(id, continuation, &state) }
            state.callers.forget(id)
            return []
          }
          if isCancelled { continuation.resume(throwing: CancellationError()) } else { next() }
        }
      } onCancel: {
        leave(id)
      }
    }
  }

  /// The task of a caller was cancelled. One of many who wait for a sync is let go of here: what
  /// ``perform(for:_:)`` does for any number of actions would take several times as long.
  private func leave(_ id: RunState.CallerID) {
    let caller = state.withLock { state -> SyncCaller? in
      guard state.callers.syncs[id] != nil, state.run.leftAtOnce(id) else { return nil }
      state.callers.forget(id)
      return state.callers.syncs.removeValue(forKey: id)
    }
    if let caller { caller.tell(nil) } else { perform { $0.run.callerLeft(id) } }
  }

  /// The mark stands before it is looked at: of two that come to wait for each other at the same
  /// time, at least one sees it.
  private func register(
    _ mark: StageMark, of id: RunState.CallerID, in call: SyncSentence.Call
  ) throws {
    state.withLock { $0.callers.marks[id] = mark }
    guard mark.wouldWait(for: ObjectIdentifier(self)) else { return }
    state.withLock { $0.callers.forget(id) }
    throw SyncError<ID>(refusing: call)
  }

  /// Numbers rise in the order in which they are given out.
  func newNumber() -> RunState.CallerID { lastNumber.add(1, ordering: .relaxed).newValue }

  /// A mark for the next call of a stage.
  func makeMark() -> StageMark {
    StageMark(of: ObjectIdentifier(self)) { [weak self] in
      self.map { Array($0.state.withLock { $0.callers.marks.values }) } ?? []
    }
  }
}
